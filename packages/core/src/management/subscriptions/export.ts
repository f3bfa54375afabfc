import { ServiceError } from '../../contract/errors.js';
import type { ExportText } from '../../contract/export-format.js';
import type { Project, SubscriptionId } from '../../records/index.js';
import type { Service } from '../../service.js';
import { subscriptionWire } from '../../wire/subscription.js';
import { exportText, ROWS_OF_PART } from '../exports/export-text.js';
import { SUBSCRIPTION_COLUMNS, type SubscriptionExport } from './inputs.js';
import { subscriptionFilter } from './search.js';

/** Writes the subscriptions of a project that a search would find, newest first (payments#exports). */
export async function exportSubscriptions(
  service: Service,
  project: Project,
  { format, ...query }: SubscriptionExport,
): Promise<ExportText> {
  const filter = await subscriptionFilter(service, project, query);
  const now = service.clock.now();
  const tier = service.settings.tiers[project.tier];
  return exportText(service, format, {
    columns: SUBSCRIPTION_COLUMNS,
    read: async (startingAfter: SubscriptionId | null) => {
      const request = { limit: ROWS_OF_PART, startingAfter };
      const page = await service.store.searchSubscriptions(project.id, filter, now, request);
      if (page === 'unknown_cursor')
        throw new ServiceError('conflict', {
          message: 'The expired checkout after which the export was to go on is deleted. Export again.',
        });
      return {
        ...page,
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
