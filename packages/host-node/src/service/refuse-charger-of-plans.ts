import type { Billing } from '@subrail/core';
import { ConfigError } from '../config/config-error.js';

/** The statuses of plans that take no payment. */
const OVER = ['failed', 'closed'];

/**
 * Refuses a charger that is the owner or a receiver of a plan: its key is on the host's machine, and a thief
 * of the machine would have the payments too.
 * @throws ConfigError that names the plans and the setting by which this is intended
 */
export async function refuseChargerOfPlans({ service: { store, chain, logger } }: Billing): Promise<void> {
  const { charger } = chain;
  const roles: string[] = [];
  for (const { id } of await store.listProjects()) {
    // An unreadable row must not keep the host from charging everything else.
    const plans = await store.listPlans(id, null).catch((err: unknown) => {
      logger.warn(
        { err, project: id },
        'The plans of a project cannot be read, so it is not known whether the charger is a wallet of one of them.',
      );
      return [];
    });
    for (const { status, slug, owner, destinations } of plans) {
      if (OVER.includes(status)) continue;
      if (owner === charger) roles.push(`the owner of ${id}/${slug}`);
      else if (destinations.includes(charger)) roles.push(`a receiver of ${id}/${slug}`);
    }
  }
  const [first, ...others] = roles;
  if (first === undefined) return;
  const more = others.length === 0 ? '' : `, and of ${others.length} more`;
  throw new ConfigError([
    `The charger ${charger} is also ${first}${more}. Its key is on this machine, so whoever takes the machine over would have the payments too. Give charger_key a wallet of its own, and have the owners of the plans add it as a puller; or set charger_may_own_plans to true if this is intended.`,
  ]);
}
