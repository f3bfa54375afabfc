import { once } from 'node:events';
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { stopSignal } from './stop-signal.js';

/** The process around a command. Tests have their own. */
export interface Terminal {
  readonly environment: NodeJS.ProcessEnv;
  /** The folder of relative paths. */
  readonly folder: string;
  /** The person who runs the command, for the audit log. */
  readonly user: string;
  /** Writes the answer, to stdout. */
  write(text: string): void;
  /** Resolves when the reader of the answer has taken what was written. */
  readonly taken?: () => Promise<unknown>;
  /** Writes a message to a person, to stderr. */
  tell(text: string): void;
  /** Whether the output may have colours. */
  readonly colours: boolean;
  /** The width of a person's screen. Null: a program or a file reads the output. */
  readonly columns: number | null;
  /** Asks the person at the terminal, and trims the answer. Null: nobody can be asked. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Sends requests to a host. Default: the platform's `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Resolves when a command that runs on has to stop: at a signal, or when its output has no reader. */
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
    taken: async () => {
      if (stdout.writableNeedDrain) await Promise.race([once(stdout, 'drain'), readerEnded]);
    },
    tell: (text) => void stderr.write(text),
    colours: stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    columns: stdout.isTTY ? stdout.columns : null,
    ask: stdin.isTTY && stderr.isTTY ? askPerson : null,
    stopped: () => Promise.race([stopSignal(), readerEnded]),
  };
}

/** Tells how far a long command is, but not with --json. */
export function progressOn(
  { tell }: Pick<Terminal, 'tell'>,
  json: true | undefined,
): (sentence: string) => void {
  return (sentence) => {
    if (json !== true) tell(`${sentence}\n`);
  };
}

/** Draws how much of a long command is done: a bar on a screen, lines elsewhere, nothing with --json. */
export function barOn(
  { tell, columns }: Pick<Terminal, 'tell' | 'columns'>,
  json: true | undefined,
): (done: number, all: number, at: string) => void {
  let told = -1;
  return (done, all, at) => {
    const tenths = Math.floor((done / all) * 10);
    if (json === true || (columns === null && tenths === told)) return;
    told = tenths;
    const percent = String(Math.floor((done / all) * 100)).padStart(3);
    if (columns === null) return tell(`${percent} %, ${at}\n`);
    const filled = Math.round((done / all) * 30);
    tell(`\r[${'#'.repeat(filled).padEnd(30, '.')}] ${percent} %, ${at}${done === all ? '\n' : ''}`);
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
