import type { TransactionPartialSigner } from '@solana/kit';
import type { RpcSource } from '../../solana/index.js';
import { signerFromKeyFile } from '../key-file.js';
import { isKeyContent } from '../key-material.js';
import { loadSolana } from '../load-adapter.js';

/** Throws a TypeError without options, or for an unknown one. */
export function requireOptions(options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(
      `openBilling needs an object with database, rpc, charger and sealingKey; it is ${describe(options)}.`,
    );
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`openBilling has no option "${unknown}". Its options are: ${known.join(', ')}.`);
  }
}

/** The option `rpc` as a list. Throws a TypeError without the address, which may have a key. */
export function rpcSources(rpc: unknown): readonly RpcSource[] {
  const sources: readonly unknown[] = Array.isArray(rpc) ? rpc : [rpc];
  if (sources.length === 0) throw new TypeError('"rpc" is an empty list: give at least one RPC server.');
  for (const [index, source] of sources.entries()) {
    if (typeof source === 'function' || isHttpAddress(source)) continue;
    const which = Array.isArray(rpc) ? `Item ${index + 1} of "rpc"` : '"rpc"';
    throw new TypeError(
      `${which} must be an http or https address of a Solana RPC server, or a transport of @solana/kit; it is ${describe(source)}.`,
    );
  }
  return sources as readonly RpcSource[];
}

function isHttpAddress(source: unknown): boolean {
  return typeof source === 'string' && URL.canParse(source) && /^https?:$/.test(new URL(source).protocol);
}

export function networkOf(network: unknown): 'devnet' | 'mainnet-beta' {
  if (network === 'devnet' || network === 'mainnet-beta') return network;
  throw new TypeError(`"network" must be devnet or mainnet-beta; it is ${describe(network)}.`);
}

/** The signer of the option `charger`. Throws a TypeError that shows nothing of a key. */
export async function chargerSigner(charger: unknown): Promise<TransactionPartialSigner> {
  if (isSigner(charger)) return charger;
  if (typeof charger !== 'string' || charger.trim() === '') {
    throw new TypeError(
      `"charger" must be the path of a Solana key file, its content, or a signer of @solana/kit; it is ${describe(charger)}.`,
    );
  }
  if (isKeyContent(charger)) return (await loadSolana()).signerFromSecret(charger, '"charger"');
  try {
    return await signerFromKeyFile(charger);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new TypeError(`"charger" cannot be used. ${error.message}`, { cause: error });
  }
}

function isSigner(charger: unknown): charger is TransactionPartialSigner {
  return (
    typeof charger === 'object' &&
    charger !== null &&
    'address' in charger &&
    'signTransactions' in charger &&
    typeof charger.signTransactions === 'function'
  );
}

/** Throws a TypeError when an object of the caller lacks a method. */
export function requireMethods(name: string, value: unknown, methods: readonly string[]): void {
  if (value === undefined) return;
  const lacking = methods.filter(
    (method) =>
      typeof value !== 'object' || value === null || typeof Reflect.get(value, method) !== 'function',
  );
  if (lacking.length > 0)
    throw new TypeError(`"${name}" must be an object with ${lacking.join(', ')}; it is ${describe(value)}.`);
}

/** The options without those that are undefined. */
export function given<Options extends object>(
  options: Options,
): { [Name in keyof Options]?: Exclude<Options[Name], undefined> } {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Options]?: Exclude<Options[Name], undefined> };
}

/** What a value is, without the value. */
export function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null || value === '') return value === null ? 'null' : 'empty';
  if (typeof value === 'string') return `a text of ${value.length} characters`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
