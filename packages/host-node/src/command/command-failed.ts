/** Thrown when a command cannot do what it was asked to. The message says why. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
