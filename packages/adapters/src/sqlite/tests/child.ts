import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A child process that runs a script. */
export interface Child {
  /** Returns the next line it prints. Throws when it ended first. */
  line(): Promise<string>;
  /** Sends it a line, for which it waits. */
  go(): void;
  /** Kills it with SIGKILL and waits for its end. */
  kill(): Promise<void>;
}

/** Starts a script of `children/` in a new process. */
export function startChild(name: string, ...args: readonly string[]): Child {
  return startChildIn({}, name, ...args);
}

/** Starts a script of `children/` in a new process, with more in its environment. */
export function startChildIn(
  environment: Readonly<Record<string, string>>,
  name: string,
  ...args: readonly string[]
): Child {
  return startScript(new URL(`./children/${name}.ts`, import.meta.url), args, environment);
}

/** Starts a script in a new process, with more in its environment. */
export function startScript(
  script: URL,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Child {
  const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(script), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'exit');
  return {
    async line() {
      const next: IteratorResult<string, unknown> = await lines.next();
      if (next.done === true) throw new Error(`${script.pathname} ended before it printed another line.`);
      return next.value;
    },
    go: () => child.stdin.write('go\n'),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
