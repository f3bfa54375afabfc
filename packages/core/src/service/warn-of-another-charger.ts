import type { Chain, Logger, Store } from '../ports/index.js';
import { PUBLISHED, type Plan } from '../records/index.js';

/** How many plans are read at once. */
const PLANS_AT_ONCE = 20;

/**
 * Warns of published plans that do not list the charger as a puller, because another one first used the
 * database. Their subscriptions cannot be charged. Never rejects: an unreadable plan is only counted.
 */
export async function warnOfAnotherCharger(
  { store, chain, logger }: { readonly store: Store; readonly chain: Chain; readonly logger: Logger },
  firstCharger: string,
): Promise<void> {
  const plans = await publishedPlans(store).catch(() => null);
  const lacking: string[] = [];
  let unread = 0;
  for (let first = 0; first < (plans?.length ?? 0); first += PLANS_AT_ONCE) {
    const batch = plans?.slice(first, first + PLANS_AT_ONCE) ?? [];
    const views = await Promise.all(batch.map(({ address }) => chain.readPlan(address)));
    for (const [index, read] of views.entries()) {
      if (!read.ok) unread += 1;
      else if (read.value !== null && !mayCharge(read.value, chain.charger)) {
        lacking.push(`${batch[index]?.projectId}/${batch[index]?.slug}`);
      }
    }
  }
  if (plans !== null && lacking.length + unread === 0) return;
  logger.warn(
    { charger: chain.charger, first_charger: firstCharger, plans: lacking, unread_plans: unread },
    'The charger is another one than at first use, and these plans do not list it as a puller. Nothing is charged for them until their owners add it.',
  );
}

async function publishedPlans(store: Store): Promise<readonly Plan[]> {
  const projects = await store.listProjects();
  const lists = await Promise.all(projects.map(({ id }) => store.listPlans(id, PUBLISHED)));
  return lists.flat();
}

function mayCharge(
  { owner, pullers }: { readonly owner: string; readonly pullers: readonly string[] },
  charger: string,
): boolean {
  return owner === charger || pullers.includes(charger);
}
