import type { RpcTransport } from '@solana/kit';
import {
  createLocalnet,
  localnetTransport,
  serveLocalnet,
  type Localnet,
  type ServedLocalnet,
} from '@subrail/localnet';
import { onFreePort } from '../service/free-port.js';

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
}

/** Begins a chain, or takes up the one in the file, lets its time run, and serves it. */
export async function openLocalChain({ port, program }: LocalChainOptions): Promise<LocalChain> {
  const chain = createLocalnet({
    unixTime: BigInt(Math.floor(Date.now() / 1000)),
    ...(program === null ? {} : { program }),
  });
  chain.resumeClock();
  const served = await serve(chain, port);
  return {
    chain,
    transport: localnetTransport(chain),
    url: served.url,
    webSocketUrl: served.webSocketUrl,
    close: () => served.close(),
  };
}

function serve(chain: Localnet, port: number | null): Promise<ServedLocalnet> {
  if (port !== null) return serveLocalnet(chain, { port });
  return onFreePort(USUAL_PORT, (free) => serveLocalnet(chain, { port: free }));
}
