import { resolve } from 'node:path';
import type { Opener } from '@subrail/core';
import { createRandom } from '../random.js';
import { CONSOLE, openBilling, type OpenBillingOptions, type OpenedBilling } from './open-billing.js';
import { describe, given } from './read-options.js';

/** The settings of the host that stand for missing options. */
const SETTINGS = {
  database: 'SUBRAIL_DATABASE',
  rpc: 'SUBRAIL_CHAIN',
  charger: 'SUBRAIL_CHARGER_KEY',
  sealingKey: 'SUBRAIL_SEALING_KEY',
  network: 'SUBRAIL_NETWORK',
  clock: 'SUBRAIL_CLOCK',
  publicUrl: 'SUBRAIL_PUBLIC_URL',
} as const;

/** The time in which an opening that failed is not tried again. */
const FAILED_MS = 1_000;

/** A service of this process, by the name of its database. */
interface Kept {
  readonly opening: Promise<OpenedBilling>;
  /** The number of closes until this one; null while the service is open. */
  closed: number | null;
}

/**
 * The services of this process, and how often one was closed. A server in development loads an app again
 * after each change, and perhaps this module with it: a new load finds here what is open.
 */
const KEPT = Symbol.for('@subrail/adapters: services');
const shared = globalThis as { [KEPT]?: { readonly services: Map<string, Kept>; closes: number } };

/**
 * Returns a function that opens the service when it is first called, and returns the same service to every
 * caller of this process, however often the app is loaded. Nothing is read or opened before, so a build may
 * load the module that calls this. Calls in the second after an opening failed fail alike, and the next one
 * opens again. Other options for the same database have no effect while it is open.
 *
 * A service that was closed stays closed: a late request is refused as `unavailable`, and opens no service
 * that would stay open. A function that is made later, such as by an app that is loaded again, opens it
 * anew.
 *
 * Missing options come from the environment, under the names of the host's settings: `SUBRAIL_DATABASE`,
 * `SUBRAIL_CHAIN` (RPC servers, separated by commas), `SUBRAIL_CHARGER_KEY`, `SUBRAIL_SEALING_KEY`,
 * `SUBRAIL_NETWORK`, `SUBRAIL_CLOCK`, and `SUBRAIL_PUBLIC_URL` for `settings.publicUrl`. No other setting is
 * read. A handler over the function answers a request as `unavailable` while no database can be reached, and
 * as `internal_error` when the opening fails otherwise; the log says why.
 *
 * @example
 * import { createCustomerHandler } from '@subrail/core';
 *
 * const billing = openBillingOnce();
 * const customers = createCustomerHandler(billing, {
 *   project: projectId,
 *   customer: async (request) => (await userOf(request))?.id ?? null,
 * });
 * const shop = (await billing()).project(projectId);
 */
export function openBillingOnce(options: Partial<OpenBillingOptions> = {}): Opener<OpenedBilling> {
  const kept = (shared[KEPT] ??= { services: new Map<string, Kept>(), closes: 0 });
  const { services, closes } = kept;
  const openNow = async () => {
    const complete = withEnvironment(options);
    const { database } = complete;
    const place = String(typeof database === 'object' && 'url' in database ? database.url : database);
    // A file is one database, however it is written.
    const name = place.includes(':') ? place : resolve(place);
    const known = services.get(name);
    if (known !== undefined && (known.closed === null || known.closed > closes)) return known.opening;
    const opened: Kept = {
      opening: openClosable(complete, () => (opened.closed ??= ++kept.closes)).catch((error: unknown) => {
        throw withSetting(error, options);
      }),
      closed: null,
    };
    services.set(name, opened);
    opened.opening.catch(() => {
      if (services.get(name) === opened) services.delete(name);
    });
    return opened.opening;
  };
  /** The opening that failed just now. Strangers may call, and each opening reads files and asks servers. */
  let failed: { readonly opening: Promise<OpenedBilling>; readonly at: number } | null = null;
  const open = () => {
    if (failed !== null && performance.now() - failed.at < FAILED_MS) return failed.opening;
    const opening = openNow();
    opening.catch(() => {
      failed = { opening, at: performance.now() };
    });
    return opening;
  };
  const failurePorts = { logger: options.logger ?? CONSOLE, random: createRandom() };
  return Object.assign(open, { failurePorts });
}

/** @param onClose called whenever the service is closed */
async function openClosable(options: OpenBillingOptions, onClose: () => void): Promise<OpenedBilling> {
  const billing = await openBilling(options);
  const close = () => {
    onClose();
    return billing.close();
  };
  return { ...billing, close, [Symbol.asyncDispose]: close };
}

/** Adds the settings of the environment. Throws a TypeError for an option that neither has. */
function withEnvironment(options: Partial<OpenBillingOptions>): OpenBillingOptions {
  /** A setting; undefined when it is missing or blank. */
  const optional = (name: keyof typeof SETTINGS) => process.env[SETTINGS[name]]?.trim() || undefined;
  const setting = (name: keyof typeof SETTINGS): string => {
    const text = optional(name);
    if (text !== undefined) return text;
    throw new TypeError(
      `The service has no "${name}": set ${SETTINGS[name]}, or give openBillingOnce the option.`,
    );
  };
  const publicUrl = options.settings?.publicUrl ?? optional('publicUrl')?.replace(/\/+$/, '');
  return {
    ...options,
    database: options.database ?? setting('database'),
    rpc: options.rpc ?? setting('rpc').split(/\s*,\s*/),
    charger: options.charger ?? setting('charger'),
    sealingKey: options.sealingKey ?? setting('sealingKey'),
    settings: { ...options.settings, ...given({ publicUrl }) },
    ...given({
      network: options.network ?? (optional('network') as OpenBillingOptions['network']),
      clock: options.clock ?? clockNamed(optional('clock')),
    }),
  };
}

/** The option `clock` of a setting. The clock of this machine is that of no option. */
function clockNamed(setting: string | undefined): 'chain' | undefined {
  if (setting === undefined || setting === 'system') return undefined;
  if (setting === 'chain') return setting;
  throw new TypeError(`${SETTINGS.clock} must be system or chain; it is ${describe(setting)}.`);
}

/** An error about an option, with the setting from which the option came. */
function withSetting(error: unknown, options: Partial<OpenBillingOptions>): unknown {
  if (!(error instanceof TypeError)) return error;
  const ofCaller: Readonly<Record<string, unknown>> = { ...options, ...options.settings };
  const named = Object.entries(SETTINGS).find(
    ([name]) => error.message.includes(`"${name}"`) && ofCaller[name] === undefined,
  );
  if (named === undefined) return error;
  return new TypeError(`${error.message} It comes from ${named[1]}.`, { cause: error });
}
