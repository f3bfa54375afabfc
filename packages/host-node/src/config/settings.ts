import { z } from 'zod';

/** One thing that can be configured: what a person may write, and what it becomes. */
interface Key<Schema extends z.ZodType> {
  /** Ends the sentence "it must be ...". */
  readonly expected: string;
  readonly schema: Schema;
  /** Its value is never shown, and it may be given as the name of a file that holds it. */
  readonly secret: boolean;
}

function open<Schema extends z.ZodType>(expected: string, schema: Schema): Key<Schema> {
  return { expected, schema, secret: false };
}

function secret<Schema extends z.ZodType>(expected: string, schema: Schema): Key<Schema> {
  return { expected, schema, secret: true };
}

// The environment only knows text, a file knows numbers and booleans as well.
function whole(least: number, most: number) {
  return z
    .union([z.number(), z.string().regex(/^\d+$/).transform(Number)])
    .pipe(z.number().int().min(least).max(most));
}

const flag = z.union([
  z.boolean(),
  z.enum(['true', '1']).transform(() => true),
  z.enum(['false', '0']).transform(() => false),
]);

const address = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''));

const rpcUrls = z
  .union([z.string().transform((text) => text.split(',').map((url) => url.trim())), z.array(z.string())])
  .pipe(z.array(z.url({ protocol: /^https?$/ })).min(1));

const chain = z.union([
  z.literal('localnet').transform(() => ({ kind: 'localnet' as const })),
  rpcUrls.transform((urls) => ({ kind: 'rpc' as const, urls })),
]);

// A key file's content is text in the environment and may be a list in the configuration file.
const keypair = z.union([
  z.string().trim().min(1),
  z.array(z.number()).transform((numbers) => JSON.stringify(numbers)),
]);

const HEX = /^[0-9a-f]{64}$/i;

// Node's decoder skips what is no base64, so only a text that its bytes give back is one.
const bytes32 = z
  .string()
  .trim()
  .refine((text) => HEX.test(text) || Buffer.from(text, 'base64').toString('base64') === text)
  .transform((text) => Uint8Array.from(Buffer.from(text, HEX.test(text) ? 'hex' : 'base64')))
  .refine((bytes) => bytes.length === 32);

/**
 * Everything that can be configured. In the environment a key is `SUBRAIL_` and its name in capitals; in the file it is
 * its name. A secret is also read from the file that the key with `_file` after it names.
 */
export const SETTINGS = {
  host: open('an address to listen on, such as 127.0.0.1 or 0.0.0.0', z.string().min(1)),
  port: open('a whole number from 0 to 65535, 0 for any free port', whole(0, 65_535)),
  base_path: open(
    'a path that starts with / and does not end with it, such as /billing',
    z.string().regex(/^(\/(?!\.{1,2}(\/|$))[\w.~-]+)*$/),
  ),
  public_url: open('the http or https address under which this service is reached', address),
  trusted_proxies: open('how many proxies stand in front, a whole number from 0 to 10', whole(0, 10)),
  data_dir: open('the folder where state is kept', z.string().min(1)),
  database: open('the path of the SQLite file', z.string().min(1)),
  chain: open(
    'localnet, or one or more http or https addresses of Solana RPC servers, with commas between',
    chain,
  ),
  network: open('devnet or mainnet-beta', z.enum(['devnet', 'mainnet-beta'])),
  clock: open(
    "system, or chain to follow the chain's clock (a development chain whose time is moved)",
    z.enum(['system', 'chain']),
  ),
  localnet_port: open(
    'a whole number from 0 to 65534, 0 for any free port; notifications take the next one',
    whole(0, 65_534),
  ),
  localnet_program: open('the path of a Subscriptions program file for the local chain', z.string().min(1)),
  charger_key: secret(
    'a Solana keypair: 64 numbers in brackets as key files hold them, or the same in base58',
    keypair,
  ),
  sealing_key: secret('32 bytes, as 64 hexadecimal digits or in base64', bytes32),
  service_name: open(
    'the name shown in the terms that wallets sign, 1 to 64 characters',
    z.string().min(1).max(64),
  ),
  private_targets: open('true to let webhooks go to private addresses (development), or false', flag),
  log_level: open(
    'one of debug, info, warn, error, silent',
    z.enum(['debug', 'info', 'warn', 'error', 'silent']),
  ),
} satisfies Record<string, Key<z.ZodType>>;

export type SettingName = keyof typeof SETTINGS;

/** What was given, by key; absent when nothing was. */
export type Settings = { -readonly [Name in SettingName]?: z.output<(typeof SETTINGS)[Name]['schema']> };
