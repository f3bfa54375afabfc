import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Round, RoundTimes } from './load.js';

/** The client of the bench, in a process of its own. */
export interface Client {
  /** Sends the requests of a round. Rejects when the client failed. */
  send(round: Round): Promise<RoundTimes>;
  close(): void;
}

/** Starts the client. */
export function startClient(): Client {
  const client = fork(fileURLToPath(new URL('./load.js', import.meta.url)), {
    execArgv: ['--import', import.meta.resolve('tsx')],
  });
  const ended = once(client, 'exit').then(([code]) => {
    throw new Error(`The client process exited with code ${code}; its error is printed above.`);
  });
  // Only the rounds await it: after them the process is killed on purpose.
  ended.catch(() => undefined);
  return {
    async send(round) {
      const answer = once(client, 'message');
      client.send(round);
      return ((await Promise.race([answer, ended])) as [RoundTimes])[0];
    },
    close: () => void client.kill(),
  };
}
