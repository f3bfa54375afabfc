import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
const TSX = import.meta.resolve('tsx');

/** The `subrail` command or another script, run in a child process. */
export interface HostProcess {
  readonly pid: number;
  /** Every line that it has written so far, to stdout and stderr. */
  readonly lines: readonly string[];
  /** Resolves with the first line that matches. Rejects when the process exits without writing one. */
  line(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with the exit code, or with the signal that ended the process. */
  readonly exited: Promise<number | NodeJS.Signals>;
  /** Sends a signal and resolves as `exited` does. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** Starts `subrail` in `folder`. Of this process's environment it gets only PATH. */
export function startHost(
  args: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): HostProcess {
  return startScript(MAIN, args, folder, environment);
}

/** Starts a script or a bundle of one in `folder`, as `startHost` does. */
export function startScript(
  script: string,
  args: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): HostProcess {
  const loader = script.endsWith('.mjs') ? [] : ['--import', TSX];
  const child = spawn(process.execPath, [...loader, script, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], NO_COLOR: '1', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of [...listeners]) listener();
  };
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      lines.push(line);
      notify();
    });
  }
  const exited = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'SIGKILL'));
  });
  let ended = false;
  void exited.then(() => {
    ended = true;
    notify();
  });
  return {
    pid: child.pid ?? 0,
    lines,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = lines.map((line) => pattern.exec(line)).find((match) => match !== null);
          if (found === undefined && !ended) return;
          listeners.delete(check);
          if (found !== undefined) resolve(found);
          else
            reject(
              new Error(
                `The process exited without a line that matches ${String(pattern)}. It wrote:\n${lines.join('\n')}`,
              ),
            );
        };
        listeners.add(check);
        check();
      }),
    exited,
    end(signal) {
      child.kill(signal);
      return exited;
    },
  };
}
