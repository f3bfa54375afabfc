import { resolve } from 'node:path';
import { ConfigError } from './config-error.js';
import { SETTINGS, type Settings, type SettingName } from './settings.js';
import { readEnvironment, readConfigFile, type RawSetting } from './read-sources.js';

/** Where the service finds its chain. */
export type ChainConfig =
  { readonly kind: 'localnet' } | { readonly kind: 'rpc'; readonly urls: readonly string[] };

/** A configuration that can be started. Paths are absolute. */
export interface Config {
  readonly host: string;
  /** Null: nobody chose, so the host takes its usual one, or the next that is free. */
  readonly port: number | null;
  /** Empty, or a path without a slash at its end. */
  readonly basePath: string;
  /** Null: the address the server listens on. */
  readonly publicUrl: string | null;
  readonly trustedProxies: number;
  readonly dataDir: string;
  readonly database: string;
  readonly chain: ChainConfig;
  readonly network: 'devnet' | 'mainnet-beta';
  readonly clock: 'system' | 'chain';
  /** Null: the usual one, or the next that is free. */
  readonly localnetPort: number | null;
  /** A file of the Subscriptions program, or null for the one that comes with the local chain. */
  readonly localnetProgram: string | null;
  /** The charging identity's keypair, as written; null only on the local chain, which makes its own. */
  readonly chargerKey: string | null;
  /** The 32 bytes that seal secrets in the store; null only on the local chain, which makes its own. */
  readonly sealingKey: Uint8Array | null;
  readonly serviceName: string;
  readonly privateTargets: boolean;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

/**
 * Reads the configuration: the environment wins over the file. `file` is what `--config` named; without, the one
 * `SUBRAIL_CONFIG` names, else `subrail.json` in `folder` if it is there.
 * @throws ConfigError with a sentence for every problem found, not only the first.
 */
export function readConfig(
  environment: NodeJS.ProcessEnv,
  folder: string,
  file: string | undefined = environment['SUBRAIL_CONFIG'],
): Config {
  const problems: string[] = [];
  const written = new Map([
    ...readConfigFile(file, folder, problems),
    ...readEnvironment(environment, folder, problems),
  ]);
  const given = validate(written, problems);
  problems.push(...contradictions(given, new Set(written.keys())));
  if (problems.length > 0) throw new ConfigError(problems);
  return complete(given, folder);
}

function validate(written: ReadonlyMap<SettingName, RawSetting>, problems: string[]): Settings {
  const given: Record<string, unknown> = {};
  for (const [name, { value, where }] of written) {
    const key = SETTINGS[name];
    const parsed = key.schema.safeParse(value);
    if (parsed.success) given[name] = parsed.data;
    else problems.push(`${where} is ${shown(value, key.secret)}: it must be ${key.expected}.`);
  }
  return given;
}

function shown(value: unknown, secret: boolean): string {
  if (value === '') return 'empty';
  if (secret) return typeof value === 'string' ? `a text of ${value.length} characters` : 'not a text';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}

/** What each value allows alone and all of them together do not. `written`: keys that are there, valid or not. */
function contradictions(given: Settings, written: ReadonlySet<SettingName>): string[] {
  const problems: string[] = [];
  if (written.has('chain') && given.chain === undefined) return problems;
  if (given.chain?.kind === 'rpc') {
    for (const name of ['network', 'charger_key', 'sealing_key'] as const) {
      if (!written.has(name)) {
        const variable = `SUBRAIL_${name.toUpperCase()}`;
        problems.push(`${variable} is missing: with an RPC server it must be ${SETTINGS[name].expected}.`);
      }
    }
    for (const name of ['localnet_port', 'localnet_program'] as const) {
      if (written.has(name))
        problems.push(`${name} says nothing with an RPC server: it is for the local chain.`);
    }
  } else {
    if (given.network === 'mainnet-beta') {
      problems.push(
        'network is mainnet-beta, but the local chain stands in for devnet: name RPC servers as chain.',
      );
    }
    if (given.clock === 'system') {
      problems.push("clock is system, but the local chain's time is the service's: leave clock out.");
    }
    if (written.has('charger_key')) {
      problems.push('charger_key says nothing with the local chain: it makes its own.');
    }
  }
  if (given.clock === 'chain' && given.network === 'mainnet-beta') {
    problems.push('clock is chain, which is for development, but network is mainnet-beta: leave clock out.');
  }
  return problems;
}

function complete(given: Settings, folder: string): Config {
  const chain = given.chain ?? { kind: 'localnet' };
  const dataDir = resolve(folder, given.data_dir ?? '.subrail');
  const local = chain.kind === 'localnet';
  return {
    host: given.host ?? '127.0.0.1',
    port: given.port ?? null,
    basePath: given.base_path ?? '',
    publicUrl: given.public_url ?? null,
    trustedProxies: given.trusted_proxies ?? 0,
    dataDir,
    database:
      given.database === undefined ? resolve(dataDir, 'subrail.sqlite') : resolve(folder, given.database),
    chain,
    network: given.network ?? 'devnet',
    clock: given.clock ?? (local ? 'chain' : 'system'),
    localnetPort: given.localnet_port ?? null,
    localnetProgram: given.localnet_program === undefined ? null : resolve(folder, given.localnet_program),
    chargerKey: given.charger_key ?? null,
    sealingKey: given.sealing_key ?? null,
    serviceName: given.service_name ?? 'Subrail',
    privateTargets: given.private_targets ?? local,
    logLevel: given.log_level ?? 'info',
  };
}
