import { dayOf, latestPrice, plusDays, type KnownPrice, type Project } from '../../records/index.js';
import type { Service } from '../../service.js';

/** The price of each token, by its mint, that the last priced charge of the project had. */
export async function lastPrices(
  { store, clock }: Service,
  project: Project,
): Promise<ReadonlyMap<string, KnownPrice>> {
  const prices = new Map<string, KnownPrice>();
  const tomorrow = plusDays(dayOf(clock.now()), 1);
  const [plans, before] = await Promise.all([
    store.listPlans(project.id, null),
    store.readFiguresBefore(project.id, tomorrow),
  ]);
  const priceOf = new Map(before.map(({ planId, price }) => [planId, price]));
  for (const { id, mint } of plans) {
    const price = latestPrice(prices.get(mint) ?? null, priceOf.get(id) ?? null);
    if (price !== null) prices.set(mint, price);
  }
  return prices;
}
