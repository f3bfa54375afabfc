import { openBilling, type OpenBillingOptions, type OpenedBilling } from './open-billing.js';
import { given } from './read-options.js';

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
 * What is missing comes from the environment, from the settings of the host: `SUBRAIL_DATABASE`,
 * `SUBRAIL_CHAIN` (RPC servers, separated by commas), `SUBRAIL_CHARGER_KEY`, `SUBRAIL_SEALING_KEY`,
 * `SUBRAIL_NETWORK`, and `SUBRAIL_CLOCK`.
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
    const name = String(typeof database === 'object' && 'url' in database ? database.url : database);
    const forget = () => void services.delete(name);
    const opening = services.get(name) ?? openClosable(complete, forget);
    services.set(name, opening);
    try {
      return await opening;
    } catch (error) {
      // Another caller may have begun to open it again.
      if (services.get(name) === opening) forget();
      throw error;
    }
  };
}

async function openClosable(options: OpenBillingOptions, closing: () => void): Promise<OpenedBilling> {
  const billing = await openBilling(options);
  const close = () => {
    closing();
    return billing.close();
  };
  return { ...billing, close, [Symbol.asyncDispose]: close };
}

/** Adds what the environment has. Throws a TypeError for an option that neither has. */
function withEnvironment(options: Partial<OpenBillingOptions>): OpenBillingOptions {
  const { env } = process;
  const setting = (name: string, variable: string): string => {
    const text = env[variable]?.trim() ?? '';
    if (text !== '') return text;
    throw new TypeError(`The service has no "${name}": set ${variable}, or give openBillingOnce the option.`);
  };
  return {
    ...options,
    database: options.database ?? setting('database', 'SUBRAIL_DATABASE'),
    rpc: options.rpc ?? setting('rpc', 'SUBRAIL_CHAIN').split(/\s*,\s*/),
    charger: options.charger ?? setting('charger', 'SUBRAIL_CHARGER_KEY'),
    sealingKey: options.sealingKey ?? setting('sealingKey', 'SUBRAIL_SEALING_KEY'),
    ...given({
      network: options.network ?? (env['SUBRAIL_NETWORK'] as OpenBillingOptions['network']),
      // The other clock is that of this machine, as without a setting.
      clock: options.clock ?? (env['SUBRAIL_CLOCK'] === 'chain' ? ('chain' as const) : undefined),
    }),
  };
}
