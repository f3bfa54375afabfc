import { existsSync } from 'node:fs';
import type { RpcTransport } from '@solana/kit';
import type { Logger } from '@subrail/core';
import {
  createLocalnet,
  localnetTransport,
  restoreLocalnet,
  serveLocalnet,
  type Localnet,
  type ServedLocalnet,
} from '@subrail/localnet';
import { listenOnFreePort } from '../service/free-port.js';
import { lockFile } from '../state/file-lock.js';
import { saveOnChange, answerOnceSaved } from './chain-saver.js';

/** Where validators listen. Notifications take the next port. */
const USUAL_PORT = 8899;

export interface LocalChain {
  readonly chain: Localnet;
  /** Asks the chain in this process. */
  readonly transport: RpcTransport;
  /** Where other tools reach it. */
  readonly url: string;
  readonly webSocketUrl: string;
  close(): Promise<void>;
}

export interface LocalChainOptions {
  /** Where the chain is kept; null keeps it in memory only. */
  readonly file: string | null;
  /** Null: the usual port, or the next that is free. */
  readonly port: number | null;
  /** A file of the Subscriptions program, or null for the one that comes with the local chain. */
  readonly program: string | null;
  readonly logger: Logger;
}

/**
 * Begins a chain, or takes up the one in the file, lets its time run, and serves it.
 * @throws StateError when another process has the file; UnreadableChain when it holds no chain
 */
export async function openLocalChain({
  file,
  port,
  program,
  logger,
}: LocalChainOptions): Promise<LocalChain> {
  const release = file === null ? () => undefined : lockFile(file);
  try {
    const chain = await beginOrTakeUp(file, program);
    chain.resumeClock();
    const keeping = file === null ? inMemory(chain) : await inFile(chain, file, logger);
    const served = await serve(chain, port);
    return {
      chain,
      transport: keeping.transport,
      url: served.url,
      webSocketUrl: served.webSocketUrl,
      async close() {
        await served.close();
        await keeping.end();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

interface Keeping {
  readonly transport: RpcTransport;
  end(): Promise<void>;
}

function inMemory(chain: Localnet): Keeping {
  return { transport: localnetTransport(chain), end: () => Promise.resolve() };
}

async function inFile(chain: Localnet, file: string, logger: Logger): Promise<Keeping> {
  // From the first moment on: a database without its chain would be a riddle at the next start.
  await chain.save(file);
  const keeper = saveOnChange(chain, file, logger);
  return {
    transport: answerOnceSaved(localnetTransport(chain), keeper),
    async end() {
      keeper.stop();
      // Once more: the time that passed since the last change is no change.
      await chain.save(file);
    },
  };
}

async function beginOrTakeUp(file: string | null, program: string | null): Promise<Localnet> {
  const chosen = program === null ? {} : { program };
  if (file === null || !existsSync(file)) {
    return createLocalnet({ unixTime: BigInt(Math.floor(Date.now() / 1000)), ...chosen });
  }
  const chain = await restoreLocalnet(file, chosen);
  // A chain does not stand still because nobody runs it: its time is never before what the service saw of it.
  // Counted from the moment its clock was read, since the file is younger by as long as it took to write.
  const savedAt = chain.savedAt?.getTime() ?? Date.now();
  chain.advance({ seconds: Math.max(0, Date.now() - savedAt) / 1000 });
  return chain;
}

function serve(chain: Localnet, port: number | null): Promise<ServedLocalnet> {
  if (port !== null) return serveLocalnet(chain, { port });
  return listenOnFreePort(USUAL_PORT, (free) => serveLocalnet(chain, { port: free }));
}
