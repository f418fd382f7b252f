/** Puts text on the clipboard, also where the page may not use the clipboard API: without HTTPS, or in a frame. */

/** Whether the text was copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** The event that the old command fires takes any text: nothing has to be selected, and the focus stays. */
function copyBySelection(text: string): boolean {
  let given = false
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    event.stopImmediatePropagation()
    given = true
  }
  document.addEventListener('copy', give, { capture: true })
  try {
    document.execCommand('copy')
  } catch {
    // Forbidden: nothing is copied, and the button says nothing.
  }
  document.removeEventListener('copy', give, { capture: true })
  return given
}
