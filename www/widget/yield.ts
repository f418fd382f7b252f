/** Cuts work into tasks, so that the page answers to the visitor in between. */

/** Goes on in a new task, soon. */
export function nextTask(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } }
  return scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve))
}

/** Goes on after the page has been drawn: what is measured or focused then costs no layout of its own. At once where nothing is drawn. */
export function nextFrame(): Promise<void> {
  if (document.hidden) return nextTask()
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}
