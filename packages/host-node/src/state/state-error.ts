/** Thrown when the stored state cannot be used. The message says why, and what a person can do about it. */
export class StateError extends Error {
  override readonly name = 'StateError';
}
