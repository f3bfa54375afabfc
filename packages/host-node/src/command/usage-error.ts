/** Thrown when the arguments of a command are invalid. The message is for the person who typed them. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
