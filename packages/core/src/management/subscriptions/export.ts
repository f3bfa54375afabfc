import { ServiceError } from '../../contract/errors.js';
import type { ExportText } from '../../contract/export-format.js';
import type { Project, SubscriptionId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { subscriptionWire } from '../../wire/subscription.js';
import { exportText, ROWS_OF_PART } from '../exports/export-text.js';
import { SUBSCRIPTION_COLUMNS, type SubscriptionExport } from './inputs.js';
import { subscriptionFilter } from './search.js';

/** Where an export goes on: after the first of these that the project still has. Null is the begin. */
type Places = readonly (SubscriptionId | null)[];

/** Writes the subscriptions of a project that a search would find, newest first (payments#exports). */
export async function exportSubscriptions(
  service: Service,
  project: Project,
  { format, ...query }: SubscriptionExport,
): Promise<ExportText> {
  const filter = await subscriptionFilter(service, project, query);
  const now = service.clock.now();
  const tier = service.settings.tiers[project.tier];
  /** Goes on at the first of these places that is left: expired checkouts are deleted meanwhile. */
  const pageAfter = async (places: Places) => {
    for (const startingAfter of places) {
      const request = { limit: ROWS_OF_PART, startingAfter };
      const page = await service.store.searchSubscriptions(project.id, filter, now, request);
      if (page !== 'unknown_cursor') return { page, startingAfter };
    }
    throw new ServiceError('conflict', {
      message: 'The expired checkouts after which the export was to go on are deleted. Export again.',
    });
  };
  return exportText(service, format, {
    columns: SUBSCRIPTION_COLUMNS,
    read: async (places: Places | null) => {
      const { page, startingAfter } = await pageAfter(places ?? [null]);
      // A place before a deleted one repeats no row: those in between are deleted too.
      const before = page.found.map(({ subscription }) => subscription.id).toReversed();
      return {
        unreadable: page.unreadable,
        next: page.next === null ? null : [...new Set([page.next, ...before, startingAfter])],
        rows: page.found.map((row) => ({
          ...subscriptionWire(row.subscription, { plan: row.plan, tier, now }),
          paid_count: row.subscription.paidCount,
          paid_amount: row.subscription.paidAmount.toString(),
          mint: row.plan.mint,
          decimals: row.plan.decimals,
        })),
      };
    },
  });
}
