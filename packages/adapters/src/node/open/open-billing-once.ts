import { resolve } from 'node:path';
import { openBilling, type OpenBillingOptions, type OpenedBilling } from './open-billing.js';
import { describe, given } from './read-options.js';

/**
 * The services of this process by their databases. A server in development loads an app again after each
 * change, and perhaps this module with it: a new load finds here what is open.
 */
const KEPT = Symbol.for('@subrail/adapters: open services');
const shared = globalThis as { [KEPT]?: Map<string, Promise<OpenedBilling>> };

/**
 * Returns a function that opens the service when it is first called, and returns the same service to every
 * caller of this process, however often the app is loaded. Nothing is read or opened before, so a build may
 * load the module that calls this. An opening that failed is tried again at the next call, and a service that
 * was closed is opened anew. Other options for the same database have no effect while it is open.
 *
 * Missing options come from the environment, under the names of the host's settings: `SUBRAIL_DATABASE`,
 * `SUBRAIL_CHAIN` (RPC servers, separated by commas), `SUBRAIL_CHARGER_KEY`, `SUBRAIL_SEALING_KEY`,
 * `SUBRAIL_NETWORK`, and `SUBRAIL_CLOCK`. No other setting is read.
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
export function openBillingOnce(options: Partial<OpenBillingOptions> = {}): () => Promise<OpenedBilling> {
  const services = (shared[KEPT] ??= new Map<string, Promise<OpenedBilling>>());
  return async () => {
    const complete = withEnvironment(options);
    const { database } = complete;
    const place = String(typeof database === 'object' && 'url' in database ? database.url : database);
    // A file is one database, however it is written.
    const name = place.includes(':') ? place : resolve(place);
    const known = services.get(name);
    if (known !== undefined) return known;
    const opening = openClosable(complete, () => {
      // Another service may have been opened since: a repeated close does not forget that one.
      if (services.get(name) === opening) services.delete(name);
    });
    services.set(name, opening);
    return opening;
  };
}

/** @param over called when the opening fails, and whenever the service is closed */
async function openClosable(options: OpenBillingOptions, over: () => void): Promise<OpenedBilling> {
  try {
    const billing = await openBilling(options);
    const close = () => {
      over();
      return billing.close();
    };
    return { ...billing, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    over();
    throw error;
  }
}

/** Adds the settings of the environment. Throws a TypeError for an option that neither has. */
function withEnvironment(options: Partial<OpenBillingOptions>): OpenBillingOptions {
  /** A setting; undefined when it is missing or blank. */
  const optional = (variable: string) => process.env[variable]?.trim() || undefined;
  const setting = (name: string, variable: string): string => {
    const text = optional(variable);
    if (text !== undefined) return text;
    throw new TypeError(`The service has no "${name}": set ${variable}, or give openBillingOnce the option.`);
  };
  return {
    ...options,
    database: options.database ?? setting('database', 'SUBRAIL_DATABASE'),
    rpc: options.rpc ?? setting('rpc', 'SUBRAIL_CHAIN').split(/\s*,\s*/),
    charger: options.charger ?? setting('charger', 'SUBRAIL_CHARGER_KEY'),
    sealingKey: options.sealingKey ?? setting('sealingKey', 'SUBRAIL_SEALING_KEY'),
    ...given({
      network: options.network ?? (optional('SUBRAIL_NETWORK') as OpenBillingOptions['network']),
      clock: options.clock ?? clockNamed(optional('SUBRAIL_CLOCK')),
    }),
  };
}

/** The option `clock` of a setting. The clock of this machine is that of no option. */
function clockNamed(setting: string | undefined): 'chain' | undefined {
  if (setting === undefined || setting === 'system') return undefined;
  if (setting === 'chain') return setting;
  throw new TypeError(`SUBRAIL_CLOCK must be system or chain; it is ${describe(setting)}.`);
}
