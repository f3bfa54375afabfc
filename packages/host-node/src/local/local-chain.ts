import { existsSync, readFileSync } from 'node:fs';
import type { RpcTransport } from '@solana/kit';
import type { Logger } from '@subrail/core/ports';
import {
  createLocalnet,
  localnetTransport,
  restoreLocalnet,
  serveLocalnet,
  UnreadableChain,
  type Localnet,
  type RestoreOptions,
  type ServedLocalnet,
} from '@subrail/localnet';
import { listenOnFreePort } from '../service/free-port.js';
import { explainListenError } from '../service/listen-error.js';
import { lockFile } from '../state/file-lock.js';
import { StateError } from '../state/state-error.js';
import { saveOnChange, answerOnceSaved } from './chain-saver.js';

/** The default port of Solana validators. Notifications use the port after it. */
const DEFAULT_PORT = 8899;

/** A local chain that runs in this process and is served over HTTP. */
export interface LocalChain {
  readonly localnet: Localnet;
  /** Calls the chain's RPC within this process. */
  readonly transport: RpcTransport;
  /** The address of the chain's JSON-RPC server, for other tools. */
  readonly url: string;
  /** The address of the chain's notifications over WebSocket. */
  readonly webSocketUrl: string;
  close(): Promise<void>;
}

export interface LocalChainOptions {
  /** The path of the file that stores the chain. Null: the chain is in memory only. */
  readonly file: string | null;
  /** The port of the JSON-RPC server. Null: the default port, or the next one that is free. */
  readonly port: number | null;
  /** The path of a build of the Subscriptions program. Null: the built-in program. */
  readonly program: string | null;
  /** Lamports of rent for each byte of an account. Null: those of the file, or the default. */
  readonly lamportsPerByte?: bigint | null;
  readonly logger: Logger;
  readonly settings: LocalChainSettings;
}

/** The settings of the chain, as messages of errors name them. */
interface LocalChainSettings {
  /** Completes "choose ...", such as `another file with --data`. */
  readonly anotherFile: string;
  readonly port: string;
  readonly program: string;
}

/**
 * Restores the chain in the file or creates a new one, starts its clock, and serves it.
 * @throws StateError when another process has locked the file, the file is not a chain, or the program is not
 *   one; ListenError when the port cannot be used
 */
export async function openLocalChain({
  file,
  port,
  program,
  lamportsPerByte = null,
  logger,
  settings,
}: LocalChainOptions): Promise<LocalChain> {
  const release = file === null ? () => undefined : lockFile(file, settings.anotherFile);
  try {
    const localnet = await restoreOrCreate(file, {
      ...(program !== null && { program: readProgram(program, settings.program) }),
      ...(lamportsPerByte !== null && { lamportsPerByte }),
    });
    localnet.resumeClock();
    const storage = file === null ? inMemory(localnet) : await inFile(localnet, file, logger);
    const served = await explainListenError({ host: null, port: settings.port }, () => serve(localnet, port));
    return {
      localnet,
      transport: storage.transport,
      url: served.url,
      webSocketUrl: served.webSocketUrl,
      async close() {
        await served.close();
        await storage.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

interface ChainStorage {
  readonly transport: RpcTransport;
  close(): Promise<void>;
}

function inMemory(localnet: Localnet): ChainStorage {
  return { transport: localnetTransport(localnet), close: () => Promise.resolve() };
}

async function inFile(localnet: Localnet, file: string, logger: Logger): Promise<ChainStorage> {
  // The file comes before the database: a database without its chain cannot be used at the next start.
  await localnet.save(file);
  const saver = saveOnChange(localnet, file, logger);
  return {
    transport: answerOnceSaved(localnetTransport(localnet), saver),
    async close() {
      await saver.stop();
      // The passing of time is not a change, so the time since the last change is not saved yet.
      await localnet.save(file);
    },
  };
}

const ELF_MAGIC = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);

/** Reads a program. The runtime would load any bytes, and never answer a transaction that calls them. */
function readProgram(path: string, setting: string): Uint8Array {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StateError(`${setting} names ${path}, which cannot be read: ${reason}.`, { cause });
  }
  if (bytes.subarray(0, ELF_MAGIC.length).equals(ELF_MAGIC)) return bytes;
  throw new StateError(
    `${setting} names ${path}, which is not a program: it must be an ELF file, such as "subrail localnet fetch-program" writes.`,
  );
}

async function restoreOrCreate(file: string | null, options: RestoreOptions): Promise<Localnet> {
  if (file === null || !existsSync(file)) {
    return createLocalnet({ unixTime: BigInt(Math.floor(Date.now() / 1000)), ...options });
  }
  const localnet = await restoreLocalnet(file, options).catch((error: unknown) => {
    throw error instanceof UnreadableChain ? new StateError(error.message, { cause: error }) : error;
  });
  // The chain's time goes on while it is closed, so the service never sees an earlier time. It counts from
  // `savedAt`: the file system dates the file later, by the time of its writing.
  const savedAt = localnet.savedAt?.getTime() ?? Date.now();
  localnet.advance({ seconds: Math.max(0, Date.now() - savedAt) / 1000 });
  return localnet;
}

function serve(localnet: Localnet, port: number | null): Promise<ServedLocalnet> {
  if (port !== null) return serveLocalnet(localnet, { port });
  return listenOnFreePort(DEFAULT_PORT, (free) => serveLocalnet(localnet, { port: free }));
}
