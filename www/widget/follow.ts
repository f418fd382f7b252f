/** Keeps a list at its end while text arrives, but only for a visitor who is there. */

/** Distance to the end, in pixels, within which new text keeps scrolling the list. */
const FOLLOW_DISTANCE = 64

export class Follower {
  /** Whether the list can be seen: measuring one that is not yet drawn would draw it before its turn. */
  watches = false
  #stays = true
  #jumps = true

  constructor(readonly list: () => HTMLElement | null) {}

  get atEnd(): boolean {
    const list = this.list()
    return !list || list.scrollHeight - list.scrollTop - list.clientHeight <= FOLLOW_DISTANCE
  }

  /** The next change goes to the end, wherever the visitor is: a question was asked. */
  jump(): void {
    this.#jumps = true
  }

  /** Before the list changes: is the visitor at its end? */
  beforeChange(): void {
    if (!this.watches) return
    this.#stays = this.#jumps || this.atEnd
    this.#jumps = false
  }

  afterChange(): void {
    if (this.watches && this.#stays) this.toEnd()
  }

  toEnd(): void {
    const list = this.list()
    if (list) list.scrollTop = list.scrollHeight
  }
}
