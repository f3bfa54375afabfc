import { postgresAddressFault, postgresServers, sealingKeyFromText } from '@subrail/adapters/node';
import { isDkimKey, smtpAddressFault } from '@subrail/adapters/smtp';
import { ServiceName } from '@subrail/core/schemas';
import { isPrivateTarget, PRIVATE_TARGET_FORMS } from '@subrail/core/webhooks';
import * as z from 'zod';

/** A setting: the accepted values, and their parser. */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  /** Completes the sentence "it must be ...". */
  readonly expected: string;
  readonly schema: Schema;
  /** A secret is never shown, and may be given as the path of a file. */
  readonly secret: boolean;
  /** Whether a value of a secret setting reveals nothing, so that its file may be readable by all. */
  readonly revealsNothing?: (value: unknown) => boolean;
}

function plain<Schema extends z.ZodType>(expected: string, schema: Schema): Setting<Schema> {
  return { expected, schema, secret: false };
}

function secret<Schema extends z.ZodType>(expected: string, schema: Schema): Setting<Schema> {
  return { expected, schema, secret: true };
}

// In the environment every value is text; a JSON file has numbers and booleans as well.
function wholeNumber(least: number, most: number) {
  return z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
    .pipe(z.number().int().min(least).max(most));
}

/** At most a thousandth of a SOL for a transaction, far above the need of any charge. */
const microLamports = wholeNumber(0, 5_000_000).transform(BigInt);

const flag = z.union([
  z.boolean(),
  z.enum(['true', '1']).transform(() => true),
  z.enum(['false', '0']).transform(() => false),
]);

/** Anything that looks like an address: as a path, a misspelt one would show its password. */
const IS_ADDRESS = /^postgres(ql)?:|^[\w.+:-]*:\/\//i;

const database = z
  .string()
  .min(1)
  .transform((text, context): DatabaseSetting => {
    if (!IS_ADDRESS.test(text)) return { kind: 'sqlite', path: text };
    const fault = postgresAddressFault(text);
    if (fault === null) return { kind: 'postgres', url: text };
    context.addIssue({ code: 'custom', params: { fault } });
    return z.NEVER;
  });

/** A configured database: the path of a file, which may be relative, or the address of a database server. */
export type DatabaseSetting =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** A configured list of verified tokens. The path may be relative. */
export type TokensSetting =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string };

/** A flag, or a list: with commas in the environment, as JSON in the configuration file. */
const privateTargets = z.union([
  flag,
  z
    .union([
      z.string().transform((text) => text.split(',').map((entry) => entry.trim())),
      z.array(z.string()),
    ])
    .pipe(z.array(z.string().refine(isPrivateTarget))),
]);

const address = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

const rpcUrls = z
  .union([z.string().transform((text) => text.split(',').map((url) => url.trim())), z.array(z.string())])
  .pipe(z.array(z.url({ protocol: /^https?$/ })).min(1));

const chain = z.union([
  z.literal('localnet').transform(() => ({ kind: 'localnet' as const })),
  rpcUrls.transform((urls) => ({ kind: 'rpc' as const, urls })),
]);

// The content of a key file: text, or in the configuration file also a list of numbers.
const keypair = z.union([
  z.string().trim().min(1),
  z.array(z.number()).transform((numbers) => JSON.stringify(numbers)),
]);

const bytes32 = z.string().transform((text, context) => {
  try {
    return sealingKeyFromText(text);
  } catch {
    context.addIssue('is no sealing key');
    return z.NEVER;
  }
});

/** Several keys: a list, or a text with commas or line breaks between them. */
const keys = z
  .union([
    z
      .string()
      .trim()
      .min(1)
      .transform((text) => text.split(/\s*[\n,]\s*/)),
    z.array(z.string()),
  ])
  .pipe(z.array(bytes32));

/** A value of several parts: JSON text in the environment, and an object in the configuration file. */
function fromJson<Schema extends z.ZodType>(schema: Schema) {
  return z
    .unknown()
    .transform((value, context) => {
      if (typeof value !== 'string') return value;
      try {
        return JSON.parse(value) as unknown;
      } catch {
        context.addIssue('is no JSON');
        return z.NEVER;
      }
    })
    .pipe(schema);
}

const limit = z.int().min(0).nullable();

const tier = z
  .strictObject({ published_plans: limit, subscribers: limit, automatic_retries: z.boolean() })
  .partial()
  .transform(({ published_plans, subscribers, automatic_retries }) => ({
    ...(published_plans === undefined ? {} : { publishedPlans: published_plans }),
    ...(subscribers === undefined ? {} : { subscribers }),
    ...(automatic_retries === undefined ? {} : { automaticRetries: automatic_retries }),
  }));

const tiers = z.strictObject({ free: tier, dev: tier, business: tier }).partial();

/** A request header as it is written in HTTP. */
const header = z
  .string()
  .trim()
  .regex(/^[\w-]+: *\S.*$/)
  .transform((text) => {
    const colon = text.indexOf(':');
    return { [text.slice(0, colon)]: text.slice(colon + 1).trim() };
  });

/**
 * Every setting of the host. In the environment its name is in capitals after `SUBRAIL_`; in the
 * configuration file it is as written here. A secret can also be read from a file, whose path is given under
 * the name with `_file` after it.
 */
export const SETTINGS = {
  host: plain('an address to listen on, such as 127.0.0.1 or 0.0.0.0', z.string().min(1)),
  port: plain('a whole number from 0 to 65535, 0 for any free port', wholeNumber(0, 65_535)),
  base_path: plain(
    'a path that starts with / and does not end with it, such as /billing',
    z.string().regex(/^(\/(?!\.{1,2}(\/|$))[\w.~-]+)*$/),
  ),
  public_url: plain('the http or https address at which clients reach this service', address),
  trusted_proxies: plain(
    'the number of proxies in front of the host, a whole number from 0 to 10',
    wholeNumber(0, 10),
  ),
  data_dir: plain('the folder where state is kept', z.string().min(1)),
  database: {
    ...secret(
      'the path of a SQLite file, or the address of a Postgres database, such as postgres://user:password@host:5432/database',
      database,
    ),
    // A path, or an address without a password. In its query it can have none, because that is refused.
    revealsNothing: (value) =>
      typeof value === 'string' &&
      (!IS_ADDRESS.test(value) ||
        postgresServers(value).every((server) => URL.canParse(server) && new URL(server).password === '')),
  },
  database_connections: plain(
    'a whole number from 1 to 1000, the most connections of this host to a Postgres database, besides the one that listens for changed API keys',
    wholeNumber(1, 1000),
  ),
  database_prepared_statements: plain(
    'true, or false behind a proxy of a Postgres database that cannot pass prepared statements on',
    flag,
  ),
  chain: plain(
    'localnet, or one or more http or https addresses of Solana RPC servers, separated by commas',
    chain,
  ),
  network: plain('devnet or mainnet-beta', z.enum(['devnet', 'mainnet-beta'])),
  clock: plain(
    "system, or chain to follow the chain's clock (a development chain whose time is moved)",
    z.enum(['system', 'chain']),
  ),
  localnet_port: plain(
    'a whole number from 0 to 65534, 0 for any free port; notifications take the next one',
    wholeNumber(0, 65_534),
  ),
  localnet_program: plain('the path of a Subscriptions program file for the local chain', z.string().min(1)),
  charger_key: secret(
    'a Solana keypair: 64 numbers in brackets as key files hold them, or the same in base58',
    keypair,
  ),
  charger_may_own_plans: plain(
    'true when the charger may also be the owner or a receiver of a plan, or false',
    flag,
  ),
  compute_price: plain(
    'what charges bid for a compute unit: a whole number of micro-lamports, or recent for what others paid lately',
    z.union([z.literal('recent'), microLamports]),
  ),
  compute_price_ceiling: plain(
    'the most that charges bid with compute_price recent: a whole number of micro-lamports',
    microLamports,
  ),
  packing: plain('true to let charges share transactions, which costs less, or false', flag),
  sealing_key: secret('32 bytes, as 64 hexadecimal digits or in base64', bytes32),
  older_sealing_keys: secret(
    'earlier sealing keys with commas between, each 32 bytes, as 64 hexadecimal digits or in base64',
    keys,
  ),
  service_name: plain('the name shown in the terms that wallets sign, 1 to 64 characters', ServiceName),
  tiers: plain(
    'a JSON object with any of free, dev and business, each with any of published_plans and subscribers (a whole number, or null for no limit) and automatic_retries (true or false)',
    fromJson(tiers),
  ),
  prices: plain(
    'a JSON object with the price of one whole token in dollars, as a text, by token address',
    fromJson(z.record(z.string(), z.string().regex(/^(?=.*[1-9])\d{1,60}(\.\d{1,60})?$/))),
  ),
  price_url: plain(
    'an http or https address with {mint} in it that answers the price of that token as JSON',
    z
      .string()
      .includes('{mint}')
      .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)),
  ),
  price_path: plain(
    'the names that lead to the price in that JSON, separated by dots, with {mint} for the token address',
    z
      .string()
      .regex(/^[^.]+(\.[^.]+)*$/)
      .transform((text) => text.split('.')),
  ),
  price_header: secret('a header of each request for a price, such as x-api-key: KEY', header),
  tokens: plain(
    'the path of a token list as JSON, or an http or https address that answers one',
    z
      .string()
      .min(1)
      .transform((text): TokensSetting => {
        if (!/^https?:\/\//i.test(text)) return { kind: 'file', path: text };
        return { kind: 'url', url: text };
      })
      .refine((setting) => setting.kind === 'file' || URL.canParse(setting.url)),
  ),
  private_targets: plain(
    `true to allow webhooks to private addresses (development), false, or a list with commas between of what to allow, each ${PRIVATE_TARGET_FORMS}`,
    privateTargets,
  ),
  metrics_port: plain('a whole number from 0 to 65535, 0 for any free port', wholeNumber(0, 65_535)),
  metrics_host: plain('an address to listen on, such as 127.0.0.1 or 0.0.0.0', z.string().min(1)),
  warn_below_charges: plain('a whole number of charges', wholeNumber(0, 1_000_000_000)),
  alerts_url: secret('an http or https address to which alerts are posted', z.url({ protocol: /^https?$/ })),
  smtp_url: secret(
    'the address of a mail server, such as smtp://user:password@host:587, or smtps://user:password@host:465 for TLS from the start',
    z.string().superRefine((text, context) => {
      const fault = smtpAddressFault(text);
      if (fault !== null) context.addIssue({ code: 'custom', params: { fault } });
    }),
  ),
  mail_from: plain(
    'the address alone, such as billing@shop.example, that mails to customers come from; they have the name of the project',
    z.email(),
  ),
  dkim_selector: plain(
    'the name of the key that signs mails, without its domain: NAME where the DNS has NAME._domainkey and the domain of mail_from',
    z.string().regex(/^(?!.*_domainkey)[a-z\d_-]+(\.[a-z\d_-]+)*$/i),
  ),
  dkim_key: secret(
    'a private RSA key in PEM of 1,024 bits or more, without a passphrase, which signs mails where the mail server does not',
    z.string().refine(isDkimKey),
  ),
  dashboard: plain('true to serve the dashboard at /dashboard, or false', flag),
  log_level: plain(
    'one of debug, info, warn, error, silent',
    z.enum(['debug', 'info', 'warn', 'error', 'silent']),
  ),
} satisfies Record<string, Setting>;

export type SettingName = keyof typeof SETTINGS;

/** The parsed values of the settings that were given, by name. */
export type Settings = { -readonly [Name in SettingName]?: z.output<(typeof SETTINGS)[Name]['schema']> };
