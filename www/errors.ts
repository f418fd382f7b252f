/** Every error pinpack raises in JavaScript, with the stable codes of `docs/errors.md`. */

/**
 * An error with a stable `code`. `message` says what was found, what was wanted and what to do.
 * Rust and JavaScript use the same codes.
 */
export class PinpackError extends Error {
  override readonly name = 'PinpackError'
  constructor(
    readonly code: string,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options)
  }

  /** Gives any thrown value the shape of a PinpackError: one that carries a string `code` keeps it. */
  static from(thrown: unknown, fallback = 'internal'): PinpackError {
    if (thrown instanceof PinpackError) return thrown
    const code = (thrown as { code?: unknown } | null)?.code
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    return new PinpackError(typeof code === 'string' ? code : fallback, message, { cause: thrown })
  }
}
