import { memoized } from '../../commits/commit-changes.js';
import { readPrice } from '../../commits/read-price.js';
import type { UnpricedAttempt } from '../../ports/index.js';
import type { AttemptId } from '../../records/index.js';
import { plus } from '../../rules/billing-periods.js';
import { byPlanAndDay, figuresOfPrice, withIds } from '../../rules/figures.js';
import { isWithin } from '../../ports/is-within.js';
import { usdAmount } from '../../rules/money.js';
import type { Service } from '../../service.js';
import { NO_PRICES } from '../../service/no-prices.js';

/** For how long after an attempt a price may still be added to it (attempts#amount-in-us-dollars). */
const FILL_FOR_MS = 3_600_000;

/** How often prices are added: often enough to try several times within the hour. */
const FILL_EVERY_MS = 5 * 60_000;

/** How many attempts are read and written together. */
const PAGE = 500;

/** The result of one pass over the attempts without a USD amount. */
export interface PricePass {
  /** How many attempts got their amount. */
  readonly priced: number;
}

/**
 * Makes the pass that adds USD amounts to the attempts of the last hour for which no price came in time. It
 * runs at the first call and then at most every five minutes.
 */
export function createPricePass(service: Service): () => Promise<PricePass> {
  let lastAt: Date | null = null;
  return async () => {
    const now = service.clock.now();
    if (service.prices === NO_PRICES || service.lacks.has('ReportStore')) return { priced: 0 };
    if (lastAt !== null && isWithin(lastAt, FILL_EVERY_MS, now)) return { priced: 0 };
    const priced = await addPrices(service, plus(now, -FILL_FOR_MS));
    lastAt = now;
    return { priced };
  };
}

async function addPrices(service: Service, since: Date): Promise<number> {
  const { store } = service;
  const priceOf = memoized((mint: string) => readPrice(service, mint));
  let priced = 0;
  let page: readonly UnpricedAttempt[] = [];
  do {
    page = await store.listUnpricedAttempts(since, page.at(-1) ?? null, PAGE);
    const amounts = new Map<AttemptId, string>();
    for (const { id, amount, mint, decimals } of page) {
      const usd = usdAmount(await priceOf(mint), amount, decimals);
      if (usd !== null) amounts.set(id, usd);
    }
    if (amounts.size > 0) await savePrices(service, page, amounts);
    priced += amounts.size;
  } while (page.length === PAGE);
  return priced;
}

/** Sets amounts in US dollars, and adds those that were set to the figures of their days. */
async function savePrices(
  { store, random, lacks }: Service,
  page: readonly UnpricedAttempt[],
  amountsUsd: ReadonlyMap<AttemptId, string>,
): Promise<void> {
  await store.transaction(async (operations) => {
    const priced = new Set(await operations.priceAttempts(amountsUsd));
    if (lacks.has('FigureStore')) return;
    const figures = page.flatMap((attempt) => {
      const amountUsd = priced.has(attempt.id) ? amountsUsd.get(attempt.id) : undefined;
      return amountUsd === undefined ? [] : [figuresOfPrice(attempt, { ...attempt, amountUsd })];
    });
    await operations.addFigures(withIds(random, byPlanAndDay(figures)));
  });
}
