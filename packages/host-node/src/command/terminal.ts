import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { stopSignal } from './stop-signal.js';

/** What a command uses of the process that runs it. Tests give their own. */
export interface Terminal {
  readonly environment: NodeJS.ProcessEnv;
  /** Where relative paths start. */
  readonly folder: string;
  /** Who runs the command, for the audit log. */
  readonly user: string;
  /** Writes what was asked for, to stdout. */
  write(text: string): void;
  /** Writes a message to a person, to stderr. */
  tell(text: string): void;
  /** Whether what is written may have colours. */
  readonly colours: boolean;
  /** How many characters a line has on the screen of a person. Null: a program or a file gets what is written. */
  readonly columns: number | null;
  /** Asks the person at the terminal, and returns the answer without white space around it. Null: nobody can be asked. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Sends requests to a host; the platform's `fetch` when absent. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Resolves when a command that runs on is to stop: at a signal, or when nobody reads what it writes. */
  readonly stopped?: () => Promise<unknown>;
}

/**
 * The terminal of this process.
 * @param readerEnded resolves once nobody reads what is written
 */
export function processTerminal(readerEnded: Promise<void>): Terminal {
  const { stdin, stdout, stderr, env } = process;
  return {
    environment: env,
    folder: process.cwd(),
    user: userName(),
    write: (text) => void stdout.write(text),
    tell: (text) => void stderr.write(text),
    colours: stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    columns: stdout.isTTY ? stdout.columns : null,
    ask: stdin.isTTY && stderr.isTTY ? askPerson : null,
    stopped: () => Promise.race([stopSignal(), readerEnded]),
  };
}

/** Returns what says on the way how far a long command is. With --json it says nothing. */
export function progressOn(
  { tell }: Pick<Terminal, 'tell'>,
  json: true | undefined,
): (sentence: string) => void {
  return (sentence) => {
    if (json !== true) tell(`${sentence}\n`);
  };
}

async function askPerson(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}

/** A container may run the command as a user without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
