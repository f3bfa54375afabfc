import type { TransactionPartialSigner } from '@solana/kit';
import { createBilling, type Billing, type BillingPorts } from '@subrail/core';
import type { Logger } from '@subrail/core/ports';
import { createChainClock } from '../../web/clock/chain-clock.js';
import { createHttpSender } from '../http-sender/sender.js';
import type { PostgresOptions } from '../../postgres/index.js';
import type { SolanaChainOptions } from '../../solana/chain.js';
import type { RpcSource } from '../../solana/rpc/sources.js';
import { createNodeClock } from '../clock.js';
import { createCrypto } from '../crypto.js';
import { loadPostgres, loadSolana, loadSqlite } from '../load-adapter.js';
import { createRandom } from '../random.js';
import { chooseDatabase, type DatabaseChoice } from './choose-database.js';
import {
  chargerSigner,
  given,
  networkOf,
  requireMethods,
  requireOptions,
  rpcSources,
} from './read-options.js';
import { olderSealingKeyBytes, sealingKeyBytes } from './sealing-key.js';

/** Everything that differs between two services on Node. */
export interface OpenBillingOptions
  extends
    Partial<
      Pick<
        BillingPorts,
        | 'wallClock'
        | 'sender'
        | 'tokens'
        | 'prices'
        | 'logger'
        | 'alertNotifier'
        | 'mailer'
        | 'telemetry'
        | 'settings'
        | 'handler'
        | 'actor'
      >
    >,
    Pick<
      SolanaChainOptions,
      'genesisHash' | 'computeUnitLimit' | 'computeUnitPrice' | 'packing' | 'timeouts'
    > {
  /**
   * A SQLite file, as a path or `file:` address: `billing.db`, `file:///srv/billing.db`. A missing file is
   * created, readable by its owner only; `:memory:` ends with the process. Or a PostgreSQL database, which
   * any number of hosts may share: `postgres://user:password@host/database?sslmode=verify-full`, or the
   * options of its connections.
   */
  readonly database: string | URL | PostgresOptions;
  /** The Solana RPC servers, as http addresses or kit transports, the preferred one first. */
  readonly rpc: RpcSource | readonly RpcSource[];
  /**
   * The key that signs charges and pays their fees: the path or content (64 numbers, or base58) of a Solana
   * key file, or a signer of @solana/kit.
   */
  readonly charger: string | TransactionPartialSigner;
  /**
   * The 32 bytes that encrypt secrets in the database, or their text in hexadecimal or base64. Keep the key
   * outside the database, and do not lose it: no other key can sign the webhooks.
   */
  readonly sealingKey: string | Uint8Array;
  /**
   * Earlier sealing keys, in the same forms. They decrypt and encrypt nothing new; `billing.secrets.reseal()`
   * encrypts everything with the `sealingKey`, after which they can be left out. Default: none.
   */
  readonly olderSealingKeys?: readonly (string | Uint8Array)[];
  /**
   * The time of the service. `chain` follows a development chain whose time is moved, from the first request
   * on. Default: the clock of this machine.
   */
  readonly clock?: BillingPorts['clock'] | 'chain';
  /** The network of the charged tokens; a local chain counts as devnet. Default: `devnet`. */
  readonly network?: SolanaChainOptions['network'];
}

/** A service with the database that it holds open. */
export interface OpenedBilling extends Billing {
  /**
   * Ends every `worker.run`, waits for passes and calls in progress, and closes the connections to endpoints
   * and the database. Stop the server first: later calls are refused as `unavailable`. Repeated calls share
   * the first.
   */
  close(): Promise<void>;
  /** For `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const OPTIONS: Readonly<Record<keyof OpenBillingOptions, true>> = {
  ...{
    database: true,
    rpc: true,
    charger: true,
    sealingKey: true,
    olderSealingKeys: true,
    network: true,
    settings: true,
    handler: true,
    actor: true,
  },
  ...{
    tokens: true,
    prices: true,
    logger: true,
    alertNotifier: true,
    mailer: true,
    telemetry: true,
    clock: true,
    wallClock: true,
    sender: true,
  },
  ...{ genesisHash: true, computeUnitLimit: true, computeUnitPrice: true, packing: true, timeouts: true },
};

/** The methods of the ports that a caller may give. */
const METHODS = {
  logger: ['debug', 'info', 'warn', 'error'],
  tokens: ['list'],
  prices: ['usd'],
  alertNotifier: ['notify'],
  mailer: ['send'],
  telemetry: ['span', 'late'],
  sender: ['post'],
} as const;

/** Prints warnings and errors. */
export const CONSOLE: Logger = {
  debug() {},
  info() {},
  warn: (facts, message) => console.warn(message, facts),
  error: (facts, message) => console.error(message, facts),
};

/**
 * Opens the whole service in a Node process: store, Solana chain, HTTP sender, cryptography, randomness and
 * clock. It loads only the driver of `database`. Nothing is charged and no webhook is sent until you run
 * `worker`.
 *
 * `settings.privateTargets` also says what the sender may post to besides public addresses over https.
 * Without `logger`, warnings and errors go to the console. Sealing keys that open no stored secret are logged
 * as an error.
 *
 * A new database is tied to the chain of `rpc` by its genesis hash; another chain or network throws. Without
 * an answer of an RPC server a warning is logged, and nothing is charged before the chain is checked at the
 * first answer.
 *
 * @throws TypeError that names the option which cannot be used; the message never has any of a key
 * @throws DatabaseFileError when the file cannot be opened, or is no SQLite database
 * @throws PostgresRefusal when the Postgres server does not let this user in
 * @throws Unavailable when no Postgres server can be reached
 * @throws WrongChain with a sentence, when `rpc` is not on the network, or not on the chain of the database
 * @throws Error that names the package to install, when a database driver or the Solana library is missing
 * @example
 * import { createServer } from 'node:http';
 *
 * const billing = await openBilling({
 *   database: 'billing.db',
 *   rpc: ['https://api.devnet.solana.com'],
 *   charger: 'charger.json',
 *   sealingKey: process.env.SEALING_KEY ?? '',
 * });
 * const shop = billing.project(projectId);
 * const { access } = await shop.access.check({ external_id: 'customer-42', plan: 'pro' });
 * createServer(toNodeHandler(billing)).listen(3000);
 * await billing.worker.run({ signal });
 * await billing.close();
 */
export async function openBilling(options: OpenBillingOptions): Promise<OpenedBilling> {
  requireOptions(options, Object.keys(OPTIONS));
  const database = chooseDatabase(options.database);
  const rpc = rpcSources(options.rpc);
  const crypto = createCrypto(sealingKeyBytes(options.sealingKey), {
    older: olderSealingKeyBytes(options.olderSealingKeys ?? []),
  });
  const network = networkOf(options.network ?? 'devnet');
  for (const [name, methods] of Object.entries(METHODS))
    requireMethods(name, options[name as keyof typeof METHODS], methods);
  const {
    logger = CONSOLE,
    settings = {},
    tokens,
    prices,
    alertNotifier,
    mailer,
    telemetry,
    handler,
    actor,
  } = options;
  const { clock, wallClock } = clocksOf(options);
  const charger = await chargerSigner(options.charger);
  const { genesisHash, computeUnitLimit, computeUnitPrice, packing, timeouts } = options;
  const { createSolanaChain } = await loadSolana();
  const chain = createSolanaChain({
    ...{ rpc, charger, network, clock },
    ...given({ genesisHash, computeUnitLimit, computeUnitPrice, packing, timeouts, telemetry }),
  });
  const ownSender = createHttpSender({ allowPrivate: settings.privateTargets ?? false });
  const { store, close } = await openStore(database, logger);
  try {
    const billing = createBilling({
      ...{ store, chain, clock, wallClock, crypto, logger, settings },
      random: createRandom(),
      sender: options.sender ?? ownSender,
      ...given({ tokens, prices, alertNotifier, mailer, telemetry, handler, actor }),
    });
    // First, because with the database of another chain the sealing key is wrong too, and must not be
    // rotated.
    if ((await checkChainSoon(billing, clock)) === 'unknown') {
      logger.warn(
        {},
        'No Solana RPC server answers. Nothing is charged until one does. If this lasts, check the addresses.',
      );
    }
    // Terms made before the list of verified tokens would change when it comes.
    if (tokens !== undefined) await billing.service.tokens.list();
    // Requests follow the time of the chain too, from the first one on.
    if (clock.needsComparison?.() === true) await chain.head();
    await billing.checkSealingKey();
    return closable(billing, async () => {
      ownSender.close();
      await close();
    });
  } catch (error) {
    await close();
    throw error;
  }
}

function clocksOf({
  clock: given,
  wallClock: ownWall,
  network,
}: Pick<OpenBillingOptions, 'clock' | 'wallClock' | 'network'>) {
  if (given === 'chain' && network === 'mainnet-beta')
    throw new TypeError(
      '"clock" is chain, which is for development, but "network" is mainnet-beta: leave "clock" out.',
    );
  const machine = createNodeClock();
  const clock = given === 'chain' ? createChainClock(machine) : (given ?? machine);
  const wallClock = ownWall ?? (given === 'chain' ? machine : clock);
  requireMethods('clock', clock, ['now', 'sleep']);
  requireMethods('wallClock', wallClock, ['now', 'sleep']);
  return { clock, wallClock };
}

async function openStore(database: DatabaseChoice, logger: Logger) {
  const report = (sentence: string) => logger.info({}, sentence);
  if (database.kind === 'sqlite') return (await loadSqlite()).openSqliteStore({ report, ...database });
  return (await loadPostgres()).openPostgresStore({ report, ...database.options });
}

/** The wait for the chain. A longer check goes on, and later requests and passes wait for it. */
const CHECK_MS = 3_000;

async function checkChainSoon(billing: Billing, clock: BillingPorts['clock']): Promise<'ok' | 'unknown'> {
  const stopSleeping = new AbortController();
  try {
    const timeout = clock.sleep(CHECK_MS, stopSleeping.signal).then(() => 'unknown' as const);
    return await Promise.race([billing.checkChain(), timeout]);
  } finally {
    stopSleeping.abort();
  }
}

/** Adds `close`, which ends the worker before it closes the ports. */
function closable(billing: Billing, closePorts: () => Promise<void>): OpenedBilling {
  const closing = new AbortController();
  const runs = new Set<Promise<void>>();
  let closed: Promise<void> | null = null;

  async function closeAll(): Promise<void> {
    closing.abort();
    await Promise.all(runs);
    await closePorts();
  }
  const close = () => (closed ??= closeAll());
  return {
    ...billing,
    worker: {
      ...billing.worker,
      async run({ signal }) {
        const run = billing.worker.run({ signal: AbortSignal.any([signal, closing.signal]) });
        runs.add(run);
        try {
          await run;
        } finally {
          runs.delete(run);
        }
      },
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
