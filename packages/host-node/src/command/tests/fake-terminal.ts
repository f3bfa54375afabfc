import { runCommand } from '../run-command.js';
import type { Terminal } from '../terminal.js';

/** The output of a command, and its exit code. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A terminal that only takes down what is written, and nobody sits at. */
export function fakeTerminal({ folder, ...more }: Partial<Terminal> & Pick<Terminal, 'folder'>) {
  const written = { stdout: '', stderr: '' };
  const terminal: Terminal = {
    environment: {},
    folder,
    user: 'ada',
    write: (text) => (written.stdout += text),
    tell: (text) => (written.stderr += text),
    colours: false,
    columns: null,
    ask: null,
    ...more,
  };
  return { terminal, written };
}

/** Runs a command in this process. */
export async function runHere(
  args: readonly string[],
  options: Partial<Terminal> & Pick<Terminal, 'folder'>,
): Promise<Outcome> {
  const { terminal, written } = fakeTerminal(options);
  const code = await runCommand(args, terminal);
  return { code, ...written };
}
