import { resolve } from 'node:path';
import { createLogger } from '../log/logger.js';
import { openLocalChain } from '../local/local-chain.js';
import { stopSignal } from './stop-signal.js';

export interface LocalnetOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** The file that stores the chain. Null: the chain is in memory only. */
  readonly data: string | null;
  /** A file of the Subscriptions program. Null: the built-in program. */
  readonly program: string | null;
  /** The rent of each byte. Null: that of the file, or the default. */
  readonly lamportsPerByte: bigint | null;
}

/** `subrail localnet`: runs only a local chain, until the process is asked to stop. */
export async function localnet({ port, data, program, lamportsPerByte }: LocalnetOptions): Promise<void> {
  const stopped = stopSignal();
  const local = await openLocalChain({
    file: data === null ? null : resolve(data),
    port,
    program: program === null ? null : resolve(program),
    lamportsPerByte,
    logger: createLogger({ level: 'info', secrets: [], stream: process.stderr }),
    settings: { anotherFile: 'another file with --data', port: '--port', program: '--program' },
  });
  process.stdout.write(`Local Solana at ${local.url} (notifications: ${local.webSocketUrl})\n`);
  await stopped;
  await local.close();
}
