import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readConfig } from '../config/read-config.js';
import { SETTINGS } from '../config/settings.js';
import { loadLocalKeys } from '../local/local-keys.js';
import { ensurePrivateFolder, loadOrCreateSecret } from '../state/private-files.js';
import { loadOrCreateSigner } from '../state/signer-file.js';
import { CommandFailed, UsageError } from './errors.js';
import type { Terminal } from './terminal.js';

/** The choices of a setup. */
export interface Setup {
  readonly network: 'localnet' | 'devnet' | 'mainnet-beta';
  /** The RPC servers, with commas between. Null on the local chain. */
  readonly chain: string | null;
  readonly data_dir: string;
  readonly public_url: string | null;
  readonly service_name: string | null;
  readonly clock: 'system' | 'chain' | null;
}

/** The result of a setup. Paths are absolute. */
export interface Initialized {
  readonly config: string;
  readonly data_dir: string;
  readonly charger: string;
  readonly network: Setup['network'];
}

/** The options as typed. */
type Choices = { readonly [Name in keyof Setup]: Exclude<Setup[Name], null> | undefined };

const DEVNET = 'https://api.devnet.solana.com';

/** Asks for the missing options; takes their defaults when nobody can be asked. */
export async function askForSetup(choices: Choices, { ask }: Pick<Terminal, 'ask'>): Promise<Setup> {
  const answer = async (question: string, otherwise: string) =>
    ask === null ? otherwise : (await ask(`${question} [${otherwise}] `)) || otherwise;
  const network =
    choices.network ?? networkOf(await answer('Network: localnet, devnet or mainnet-beta?', 'devnet'));
  const isLocal = network === 'localnet';
  const chain = isLocal ? null : (choices.chain ?? (await rpcServers(network, answer)));
  return {
    network,
    chain,
    data_dir: choices.data_dir ?? (await answer('Folder of the keys and the database?', '.subrail')),
    public_url:
      choices.public_url ?? noneIfEmpty(await answer('Address at which clients reach it, if any?', '')),
    service_name:
      choices.service_name ?? noneIfEmpty(await answer('Name in the terms that wallets sign?', 'Subrail')),
    clock: choices.clock ?? null,
  };
}

function networkOf(typed: string): Setup['network'] {
  const network = (['localnet', 'devnet', 'mainnet-beta'] as const).find((name) => name === typed);
  if (network === undefined) throw new UsageError(`"${typed}" is not localnet, devnet or mainnet-beta.`);
  return network;
}

async function rpcServers(
  network: string,
  answer: (question: string, otherwise: string) => Promise<string>,
): Promise<string> {
  const servers = await answer(
    'Addresses of its RPC servers, with commas between?',
    network === 'devnet' ? DEVNET : '',
  );
  if (servers !== '') return servers;
  throw new UsageError('On mainnet-beta the service needs RPC servers of yours: give them with --chain.');
}

function noneIfEmpty(text: string): string | null {
  return text === '' ? null : text;
}

/**
 * Writes `subrail.json` into the folder, and missing keys into the data folder.
 * @throws CommandFailed when there is a configuration, or the data folder belongs to a local chain and the
 *   network is another
 */
export async function initialize(setup: Setup, folder: string): Promise<Initialized> {
  const config = resolve(folder, 'subrail.json');
  if (existsSync(config)) {
    throw new CommandFailed(
      `There is a configuration ${config} already. Change it there, or remove it first.`,
    );
  }
  const dataDir = resolve(folder, setup.data_dir);
  const isLocal = setup.network === 'localnet';
  if (!isLocal && existsSync(join(dataDir, 'chain'))) {
    throw new CommandFailed(
      `The folder ${dataDir} belongs to a local chain, whose keys and database are for no other network. Choose another one with --data-dir.`,
    );
  }
  requireUsable(setup);
  ensurePrivateFolder(dataDir, '--data-dir');
  const charger = isLocal ? (await loadLocalKeys(dataDir)).charger : await newKeys(dataDir);
  const text = JSON.stringify(settingsOf(setup), null, 2);
  writeFileSync(config, `${text}\n`, { flag: 'wx', mode: 0o600 });
  // The host would read it so, and refuse it with the same sentence.
  readConfig({}, folder, config);
  return { config, data_dir: dataDir, charger: charger.address, network: setup.network };
}

/** Refuses settings that the host would refuse, before anything is written. */
function requireUsable(setup: Setup): void {
  for (const name of ['chain', 'public_url', 'service_name'] as const) {
    const value = setup[name];
    if (value === null || SETTINGS[name].schema.safeParse(value).success) continue;
    throw new UsageError(`--${name.replace('_', '-')} is "${value}": it must be ${SETTINGS[name].expected}.`);
  }
}

async function newKeys(dataDir: string) {
  loadOrCreateSecret(join(dataDir, 'sealing-key'), () => randomBytes(32).toString('hex'));
  return loadOrCreateSigner(join(dataDir, 'charger.json'));
}

function settingsOf({ network, chain, data_dir, public_url, service_name, clock }: Setup): object {
  return {
    ...(chain === null
      ? { chain: 'localnet' }
      : {
          network,
          chain: chain.split(',').map((url) => url.trim()),
          charger_key_file: join(data_dir, 'charger.json'),
          sealing_key_file: join(data_dir, 'sealing-key'),
        }),
    data_dir,
    ...(clock === null ? {} : { clock }),
    ...(public_url === null ? {} : { public_url }),
    ...(service_name === null ? {} : { service_name }),
  };
}
