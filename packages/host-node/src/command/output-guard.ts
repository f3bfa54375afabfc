/** A stream of the process that may break, such as stdout. */
type Output = Pick<NodeJS.WriteStream, 'write' | 'on'>;

/** Errors of a pipe without a reader, or of a closed terminal. */
const READER_ENDED = ['EPIPE', 'EIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED'];

/**
 * Keeps the process alive when its output has no reader or cannot be stored. Without a listener Node ends the
 * process with a stack: a host would end with the program that reads its log. A command finishes its work,
 * and fails only when its answer is lost for another reason, such as a full disk.
 *
 * @param fail is called when the answer of a command is lost
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
