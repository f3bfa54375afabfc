import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { EventType } from '@subrail/core/schemas';
import {
  createLocalnet,
  createMint,
  localnetRpc,
  sendTransaction,
  serveLocalnet,
  signTransaction,
  type Localnet,
} from '@subrail/localnet';
import { readConfig } from '../../config/read-config.js';
import type { DevelopmentRpc } from '../../local/demo-project.js';
import { loadLocalKeys } from '../../local/local-keys.js';
import { configuredEnvironment } from '../../service/environment.js';
import { openService, type OpenService } from '../../service/open-service.js';
import { loadOrCreateSecret } from '../../state/private-files.js';
import { loadOrCreateSigner } from '../../state/signer-file.js';
import { startHost, type HostProcess } from '../host-process.js';
import { ChainPayments } from './chain-payments.js';
import { receiveEvents, type DeliveredEvents } from './delivered-events.js';
import { createDatabase, type Engine } from './engines.js';
import { startRpcProxy } from './rpc-proxy.js';
import type { ServerFault } from './server-faults.js';
import { Shop } from './shop.js';

export const PERIOD_SECONDS = 3_600;
export const PRICE = 1_000_000n;
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** The service over the database of the hosts, and the project of the shop. */
export interface OpenProject extends OpenService {
  readonly projectId: string;
}

/** Hosts in their own processes on one database; a chain, a receiver and a shop in this process. */
export interface HostsUnderLoad {
  readonly chain: Localnet;
  readonly payments: ChainPayments;
  readonly received: DeliveredEvents;
  readonly shop: Shop;
  /** The faults of the database's server. */
  readonly serverFaults: readonly ServerFault[];
  /** Makes a wallet with enough of everything. */
  newWallet(): Promise<KeyPairSigner>;
  /** Kills the host at this place and starts another there. Resolves when that one serves. */
  killAndRestart(place: number): Promise<void>;
  /** Starts a host at a place where none runs. Resolves when it serves. */
  start(place: number): Promise<void>;
  /** Asks every host to stop, as an operator does, and resolves when all have. */
  stop(): Promise<void>;
  /** Resolves with the place of the first host with `count` more answers of a chain's method. */
  answered(method: string, count: number): Promise<number>;
  /** The errors in the logs of all hosts, each message once with its number. */
  errors(): ReadonlyMap<string, number>;
  /** The last warnings and errors of each host that runs, as they were logged. */
  recentWarnings(): readonly string[];
  /** The address of each host. */
  urls(): readonly string[];
  /** Opens the database in this process too, where no worker runs. */
  open(): Promise<OpenProject>;
  close(): Promise<void>;
}

export async function startHostsUnderLoad(engine: Engine, count: number): Promise<HostsUnderLoad> {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-kill-hosts-'));
  const chain = createLocalnet({
    unixTime: BigInt(Math.floor(Date.now() / 1000)),
    historyLimit: 1_000_000,
  });
  chain.resumeClock();
  const served = await serveLocalnet(chain, { port: 0 });
  let calls = 0;
  // Simultaneous requests arrive one after the other, as on a network: a kill may come in between.
  const proxies = await Promise.all(
    Array.from({ length: count }, () => startRpcProxy(served.url, () => ((calls += 1) * 37) % 150)),
  );
  const received = await receiveEvents();
  // A host with RPC servers takes no keys of a local chain.
  await loadOrCreateSigner(join(folder, 'charger.json'));
  loadOrCreateSecret(join(folder, 'sealing-key'), () => randomBytes(32).toString('hex'));
  const { charger, owner, mint } = await loadLocalKeys(folder);
  for (const { address } of [charger, owner]) chain.airdrop(address, 1_000_000_000_000n);
  const rpc = localnetRpc(chain) as DevelopmentRpc;
  await createMint(rpc, owner, mint);
  chain.setTokenAccount(owner.address, mint.address, { amount: 0n });

  const { database, faults: serverFaults, close: closeDatabase } = await createDatabase(engine, folder);
  const environment = {
    SUBRAIL_CHAIN: served.url,
    SUBRAIL_NETWORK: 'devnet',
    SUBRAIL_CLOCK: 'chain',
    SUBRAIL_CHARGER_KEY_FILE: join(folder, 'charger.json'),
    SUBRAIL_SEALING_KEY_FILE: join(folder, 'sealing-key'),
    SUBRAIL_DATA_DIR: folder,
    SUBRAIL_DATABASE: database,
    SUBRAIL_PORT: '0',
    // The terms name it, and a checkout that begins at one host may end at the other.
    SUBRAIL_PUBLIC_URL: 'https://billing.example.com',
    SUBRAIL_PRIVATE_TARGETS: `127.0.0.1:${received.port}`,
  };
  const config = readConfig(environment, folder);
  const open = async () => {
    const service = await openService(config, await configuredEnvironment(config), SILENT);
    await service.billing.service.chain.head();
    return service;
  };

  const setUp = await open();
  const { id: projectId } = await setUp.billing.projects.create({ name: 'Shop' });
  const project = setUp.billing.project(projectId);
  await project.plans.create({
    slug: 'hourly',
    name: 'Hourly',
    owner: owner.address,
    mint: mint.address,
    amount: String(PRICE),
    period_hours: PERIOD_SECONDS / 3_600,
    destinations: [owner.address],
  });
  const { transaction } = await project.plans.publish('hourly');
  await sendTransaction(rpc, await signTransaction(owner, transaction));
  await project.plans.confirmPublish('hourly');
  await project.endpoints.create({
    url: `http://127.0.0.1:${received.port}/webhooks`,
    types: EventType.options,
  });
  const { key } = await project.keys.create();
  await setUp.close();

  const hosts: { process: HostProcess; url: string }[] = [];
  const everyHost: HostProcess[] = [];
  const start = async (place: number) => {
    const chain = { SUBRAIL_CHAIN: proxies[place]?.url ?? served.url };
    const process = startHost(['start'], folder, { ...environment, ...chain });
    everyHost.push(process);
    hosts[place] = { process, url: hosts[place]?.url ?? 'http://127.0.0.1:9' };
    const [, url = ''] = await process.line(/"url":"([^"]+)".*"msg":"The service is running\."/);
    hosts[place] = { process, url };
  };
  const end = (signal: 'SIGKILL' | 'SIGTERM') => Promise.all(hosts.map(({ process }) => process.end(signal)));
  // On an empty database they would migrate at once; this one has its schema.
  await Promise.all(Array.from({ length: count }, (_, place) => start(place)));
  const urls = () => hosts.map(({ url }) => url);
  return {
    chain,
    received,
    serverFaults,
    payments: new ChainPayments(chain, mint.address),
    shop: new Shop(urls, key),
    async newWallet() {
      const wallet = await generateKeyPairSigner();
      chain.airdrop(wallet.address, 1_000_000_000n);
      chain.setTokenAccount(wallet.address, mint.address, { amount: 1_000_000n * PRICE });
      return wallet;
    },
    async killAndRestart(place) {
      await hosts[place]?.process.end('SIGKILL');
      await start(place);
    },
    start,
    async stop() {
      await end('SIGTERM');
    },
    answered: (method, count) =>
      Promise.race(proxies.map((proxy, place) => proxy.answered(method, count).then(() => place))),
    errors: () => loggedErrors(everyHost),
    recentWarnings: () =>
      hosts.flatMap(({ process }) => process.lines.filter((line) => /"level":[456]0/.test(line)).slice(-20)),
    urls,
    open: async () => ({ ...(await open()), projectId }),
    async close() {
      await end('SIGKILL');
      await received.close();
      for (const proxy of proxies) await proxy.close();
      await served.close();
      await closeDatabase();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function loggedErrors(hosts: readonly HostProcess[]): ReadonlyMap<string, number> {
  const errors = new Map<string, number>();
  for (const line of hosts.flatMap(({ lines }) => lines)) {
    const message = /"level":(?:50|"error").*"msg":"([^"]*)"/.exec(line)?.[1];
    if (message !== undefined) errors.set(message, (errors.get(message) ?? 0) + 1);
  }
  return errors;
}
