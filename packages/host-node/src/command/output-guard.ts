/** A stream of the process that may break, such as stdout. */
type Output = Pick<NodeJS.WriteStream, 'write' | 'on'>;

/** What a reader leaves behind: a pipe without it, or a terminal that was closed. */
const READER_ENDED = ['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED'];

/**
 * Keeps the process alive when nobody reads what it writes any more, and when what it writes cannot be stored. Without a listener
 * Node ends the process with a stack: a host would end with the program that reads its log. A command finishes its work, and fails
 * only when its answer is lost for another reason, such as a full disk.
 *
 * @param fail hears that the answer of a command is lost
 * @returns resolves once the reader of `stdout` has ended
 */
export function guardOutput(stdout: Output, stderr: Output, fail: () => void): Promise<void> {
  stderr.on('error', () => undefined);
  return new Promise((resolve) => {
    stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (READER_ENDED.includes(error.code ?? '')) {
        resolve();
        return;
      }
      fail();
      stderr.write(`The output cannot be written: ${error.message}.\n`);
    });
  });
}
