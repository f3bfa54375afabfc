/** The state folder cannot be used as it stands. The message tells a person why, and what to do. */
export class StateError extends Error {
  override readonly name = 'StateError';
}
