import type * as z from 'zod';
import type { SmtpOptions } from '@subrail/adapters/smtp';
import type { createHttpPrices } from '@subrail/adapters/web';
import { TIERS, type Tier } from '@subrail/core';
import type { TierName } from '@subrail/core/schemas';
import type { PrivateTargets } from '@subrail/core/ports';
import { resolve } from 'node:path';
import { findAccidents } from './accidents.js';
import { ConfigError } from './config-error.js';
import { SETTINGS, type Settings, type SettingName, type TokensSetting } from './settings.js';
import {
  CONFIG_VARIABLE,
  readEnvironment,
  readConfigFile,
  type RawSettings,
  type Findings,
  type Remark,
} from './read-sources.js';

/** Which chain the service runs on: the local one in this process, or RPC servers in order of preference. */
type ChainConfig = { readonly kind: 'localnet' } | { readonly kind: 'rpc'; readonly urls: readonly string[] };

/** The path is absolute. The address may have a password. */
export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly path: string }
  | {
      readonly kind: 'postgres';
      readonly url: string;
      readonly connections: number;
      /** Null: as the address says. */
      readonly preparedStatements: boolean | null;
    };

/** With the 200,000 units of a transaction, 20,000 lamports. */
const DEFAULT_PRICE_CEILING = 100_000n;

/** A complete and valid configuration. Paths are absolute. */
export interface Config {
  /** The address to listen on. */
  readonly host: string;
  /** Null: the default port, or the next one that is free. */
  readonly port: number | null;
  /** The path before every route: empty, or with a slash at the start and none at the end. */
  readonly basePath: string;
  /** The address at which clients reach the service. Null: the address it listens on. */
  readonly publicUrl: string | null;
  /** The number of proxies in front of the host that append to `X-Forwarded-For`. */
  readonly trustedProxies: number;
  /** The folder where state is kept. */
  readonly dataDir: string;
  /** A SQLite file, or a Postgres database with the most connections of this host. */
  readonly database: DatabaseConfig;
  readonly chain: ChainConfig;
  readonly network: 'devnet' | 'mainnet-beta';
  /** `system` is this machine's clock; `chain` follows a development chain whose time is moved. */
  readonly clock: 'system' | 'chain';
  /** Null: the default port, or the next one that is free. */
  readonly localnetPort: number | null;
  /** A file of the Subscriptions program. Null: the program built into the local chain. */
  readonly localnetProgram: string | null;
  /** The keypair that signs charges and pays their fees, as text. Null only on the local chain. */
  readonly chargerKey: string | null;
  /** Whether the charger may also own or receive of a plan. True on the local chain: nothing is at stake. */
  readonly chargerMayOwnPlans: boolean;
  /** The bid for a compute unit in micro-lamports: fixed, or as others paid lately, at most `upTo`. */
  readonly computeUnitPrice: bigint | { readonly upTo: bigint };
  /** Whether charges may share transactions. */
  readonly packing: boolean;
  /** The 32 bytes that encrypt secrets in the store. Null only on the local chain, which creates them. */
  readonly sealingKey: Uint8Array | null;
  /** Earlier sealing keys, which open what they sealed. */
  readonly olderSealingKeys: readonly Uint8Array[];
  /** The name shown in the terms that wallets sign. */
  readonly serviceName: string;
  /** The limits of each tier. */
  readonly tiers: Readonly<Record<TierName, Tier>>;
  /** Fixed prices in dollars, by token address. */
  readonly prices: Readonly<Record<string, string>>;
  /** The source of other prices. Null: other tokens have none. */
  readonly priceSource: Pick<Parameters<typeof createHttpPrices>[0], 'url' | 'path' | 'headers'> | null;
  /** The list of verified tokens. The path is absolute. Null: the well-known ones alone. */
  readonly tokens: TokensSetting | null;
  /** Which private targets webhooks may go to: all, none, or those of a list. */
  readonly privateTargets: PrivateTargets;
  /** The address of the metrics. Null: they are not served. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** An alert is raised when the charger pays for fewer charges. */
  readonly warnBelowCharges: number;
  /** The address of alerts. Null: they are only logged and shown. */
  readonly alertsUrl: string | null;
  /** The mail server, and the address that mails to customers come from; null when none are sent. */
  readonly mail: { readonly smtp: SmtpOptions; readonly from: string } | null;
  /** Whether the dashboard is served. */
  readonly dashboard: boolean;
  /** Whether the standard variables of OpenTelemetry name a collector, which gets traces then. */
  readonly traces: boolean;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Lines for the log of a host that starts with this configuration. */
  readonly remarks: readonly Remark[];
}

/**
 * Reads the configuration from the environment and a file; the environment takes precedence for each setting.
 * The file is the one `--config` names, else the one `SUBRAIL_CONFIG` names, else `subrail.json` in `folder`
 * if it exists.
 * @throws ConfigError with a sentence for every problem found, not only the first
 */
export function readConfig(
  environment: NodeJS.ProcessEnv,
  folder: string,
  file: string | undefined = environment[CONFIG_VARIABLE],
): Config {
  const findings: Findings = { problems: [], remarks: [] };
  const { problems, remarks } = findings;
  const raw = new Map([
    ...readConfigFile(file, folder, findings),
    ...readEnvironment(environment, folder, findings),
  ]);
  const settings = validate(raw, problems);
  problems.push(...combinationProblems(settings, new Set(raw.keys())));
  if (problems.length > 0) throw new ConfigError(problems);
  const config = { ...withDefaults(settings, folder), traces: namesCollector(environment), remarks };
  const accidents = findAccidents(config);
  if (accidents.length > 0) throw new ConfigError(accidents);
  return config;
}

function validate(raw: RawSettings, problems: string[]): Settings {
  const settings: Record<string, unknown> = {};
  for (const [name, entry] of raw) {
    if (entry === 'unreadable') continue;
    const { value, source } = entry;
    const { schema, secret, expected } = SETTINGS[name];
    const parsed = schema.safeParse(value, { reportInput: true });
    if (parsed.success) {
      settings[name] = parsed.data;
      continue;
    }
    const fault = faultOf(parsed.error);
    if (fault !== null) {
      problems.push(`${source} ${fault}`);
      continue;
    }
    // The message names the invalid entry of a list.
    const { path = [], input } =
      parsed.error.issues.find(({ path: [first] }) => typeof first === 'number') ?? {};
    const isEntry = typeof path[0] === 'number' && input !== value;
    problems.push(
      isEntry
        ? `Item ${Number(path[0]) + 1} of ${source} is ${describe(input, secret)}: the setting must be ${expected}.`
        : `${source} is ${describe(value, secret)}: it must be ${expected}.`,
    );
  }
  return settings;
}

/** A schema's own words on a value, which complete a sentence that begins with the source. */
export function faultOf({ issues }: z.ZodError): string | null {
  for (const issue of issues)
    if (issue.code === 'custom' && typeof issue.params?.fault === 'string') return issue.params.fault;
  return null;
}

function describe(value: unknown, secret: boolean): string {
  if (value === '') return 'empty';
  if (secret) return typeof value === 'string' ? `a text of ${value.length} characters` : 'not a text';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}

/**
 * A problem for each setting that does not fit the others, and for each missing one that the others require.
 * `present` has every setting that was given, valid or not.
 */
function combinationProblems(settings: Settings, present: ReadonlySet<SettingName>): string[] {
  const problems: string[] = [];
  if (present.has('chain') && settings.chain === undefined) return problems;
  if (settings.chain?.kind === 'rpc') {
    for (const name of ['network', 'charger_key', 'sealing_key'] as const) {
      if (!present.has(name)) {
        const variable = `SUBRAIL_${name.toUpperCase()}`;
        problems.push(`${variable} is missing: with an RPC server it must be ${SETTINGS[name].expected}.`);
      }
    }
    for (const name of ['localnet_port', 'localnet_program'] as const) {
      if (present.has(name)) {
        problems.push(`${name} has no effect with an RPC server: remove it, or set chain to localnet.`);
      }
    }
  } else {
    if (settings.network === 'mainnet-beta') {
      problems.push('network is mainnet-beta, but the local chain is devnet: set chain to your RPC servers.');
    }
    if (settings.clock === 'system') {
      problems.push('clock is system, but the local chain always sets the time: remove clock.');
    }
    if (present.has('charger_key')) {
      problems.push('charger_key has no effect on the local chain, which creates its own: remove it.');
    }
  }
  if (present.has('compute_price_ceiling') && settings.compute_price !== 'recent') {
    problems.push(
      'compute_price_ceiling has no effect without compute_price recent: set that, or remove it.',
    );
  }
  for (const name of ['price_path', 'price_header'] as const) {
    if (present.has(name) && !present.has('price_url'))
      problems.push(`${name} has no effect without price_url: remove it, or set price_url.`);
  }
  for (const name of ['database_connections', 'database_prepared_statements'] as const) {
    if (present.has(name) && settings.database?.kind !== 'postgres')
      problems.push(
        `${name} has no effect on a SQLite file: remove it, or set database to a Postgres address.`,
      );
  }
  if (present.has('metrics_host') && !present.has('metrics_port')) {
    problems.push('metrics_host has no effect without metrics_port: add metrics_port, or remove it.');
  }
  if (present.has('smtp_url') !== present.has('mail_from'))
    problems.push(
      'smtp_url and mail_from belong together: name the mail server and the address that its mails come from, or neither for no mails.',
    );
  if (present.has('dkim_selector') !== present.has('dkim_key'))
    problems.push('dkim_selector and dkim_key belong together: give both, or neither for no signatures.');
  else if (present.has('dkim_key') && !present.has('smtp_url'))
    problems.push('dkim_key has no effect without smtp_url: remove it, or set smtp_url.');
  if (settings.clock === 'chain' && settings.network === 'mainnet-beta') {
    problems.push('clock is chain, which is for development, but network is mainnet-beta: remove clock.');
  }
  return problems;
}

function databaseOf(settings: Settings, folder: string, dataDir: string): DatabaseConfig {
  const {
    database,
    database_connections: connections = 10,
    database_prepared_statements: preparedStatements = null,
  } = settings;
  if (database === undefined) return { kind: 'sqlite', path: resolve(dataDir, 'subrail.sqlite') };
  return database.kind === 'postgres'
    ? { ...database, connections, preparedStatements }
    : { kind: 'sqlite', path: resolve(folder, database.path) };
}

/** Whether traces are exported. The exporter reads the standard variables of OpenTelemetry itself. */
function namesCollector(environment: NodeJS.ProcessEnv): boolean {
  const variable = (name: string) => (environment[name] ?? '').trim();
  if (variable('OTEL_SDK_DISABLED').toLowerCase() === 'true' || variable('OTEL_TRACES_EXPORTER') === 'none')
    return false;
  return (
    variable('OTEL_EXPORTER_OTLP_ENDPOINT') !== '' || variable('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') !== ''
  );
}

function withDefaults(settings: Settings, folder: string): Omit<Config, 'traces' | 'remarks'> {
  const chain = settings.chain ?? { kind: 'localnet' };
  const dataDir = resolve(folder, settings.data_dir ?? '.subrail');
  const local = chain.kind === 'localnet';
  return {
    host: settings.host ?? '127.0.0.1',
    port: settings.port ?? null,
    basePath: settings.base_path ?? '',
    publicUrl: settings.public_url ?? null,
    trustedProxies: settings.trusted_proxies ?? 0,
    dataDir,
    database: databaseOf(settings, folder, dataDir),
    chain,
    network: settings.network ?? 'devnet',
    clock: settings.clock ?? (local ? 'chain' : 'system'),
    localnetPort: settings.localnet_port ?? null,
    localnetProgram:
      settings.localnet_program === undefined ? null : resolve(folder, settings.localnet_program),
    chargerKey: settings.charger_key ?? null,
    chargerMayOwnPlans: settings.charger_may_own_plans ?? local,
    computeUnitPrice:
      settings.compute_price === 'recent'
        ? { upTo: settings.compute_price_ceiling ?? DEFAULT_PRICE_CEILING }
        : (settings.compute_price ?? 0n),
    packing: settings.packing ?? true,
    sealingKey: settings.sealing_key ?? null,
    olderSealingKeys: settings.older_sealing_keys ?? [],
    serviceName: settings.service_name ?? 'Subrail',
    tiers: {
      free: { ...TIERS.free, ...settings.tiers?.free },
      dev: { ...TIERS.dev, ...settings.tiers?.dev },
      business: { ...TIERS.business, ...settings.tiers?.business },
    },
    prices: settings.prices ?? {},
    priceSource: priceSource(settings),
    tokens:
      settings.tokens?.kind === 'file'
        ? { kind: 'file', path: resolve(folder, settings.tokens.path) }
        : (settings.tokens ?? null),
    privateTargets: settings.private_targets ?? local,
    metrics:
      settings.metrics_port === undefined
        ? null
        : { host: settings.metrics_host ?? '127.0.0.1', port: settings.metrics_port },
    warnBelowCharges: settings.warn_below_charges ?? 1_000,
    alertsUrl: settings.alerts_url ?? null,
    mail: mailOf(settings),
    dashboard: settings.dashboard ?? local,
    logLevel: settings.log_level ?? 'info',
  };
}

function mailOf(settings: Settings): Config['mail'] {
  const { smtp_url: url, mail_from: from, dkim_selector: selector, dkim_key: privateKey } = settings;
  if (url === undefined || from === undefined) return null;
  if (selector === undefined || privateKey === undefined) return { smtp: { url }, from };
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return { smtp: { url, dkim: { domain, selector, privateKey } }, from };
}

function priceSource({ price_url: url, price_path: path, price_header: headers }: Settings) {
  if (url === undefined) return null;
  return { url, ...(path === undefined ? {} : { path }), ...(headers === undefined ? {} : { headers }) };
}
