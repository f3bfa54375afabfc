import { getDefaultAutoSelectFamilyAttemptTimeout, setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { CommanderError } from 'commander';
import { createProgram } from './program.js';
import type { Terminal } from './terminal.js';
import { UsageError } from './errors.js';

/** The time for one of several addresses. Node's 250 ms are too short across an ocean. */
const NEXT_ADDRESS_MS = 1_000;

/**
 * Runs a command line, and writes the reason of a failure.
 * @param args the arguments after `subrail`
 * @returns the exit code: 0 for success, 1 for a failure, 2 for invalid arguments
 */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const nextAddressMs = Math.max(getDefaultAutoSelectFamilyAttemptTimeout(), NEXT_ADDRESS_MS);
  setDefaultAutoSelectFamilyAttemptTimeout(nextAddressMs);
  let code = 0;
  const finish = (value: number) => {
    code = value;
  };
  try {
    const { command } = createProgram({ terminal, args, finish });
    await command.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Help and the version were printed.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const { errorMessage } = await import('./error-message.js');
    terminal.tell(`${errorMessage(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}
