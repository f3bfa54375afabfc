import { newId } from '../records/index.js';
import type { Attempt, Endpoint, SubscriptionEvent, IdOf, Plan, ProjectId, Transfer } from '../records/index.js';
import type { Commit, SignedTerms } from '../ports/index.js';
import type { Change } from '../transitions/change.js';
import type { AttemptDraft } from '../transitions/drafts.js';
import { usdAmount } from '../rules/money.js';
import type { Service } from '../service.js';
import { createDeliveries } from '../webhooks/create-deliveries.js';

/** What is written beside the changes of one subscription. */
export interface CommitExtras {
  readonly transfers?: readonly Transfer[];
  readonly signedTerms?: SignedTerms;
}

/**
 * Turns changes into what the store commits: ids, prices and deliveries are added here and nowhere else.
 * Endpoints and prices are asked once for the life of a recorder, which is one pass or one request.
 */
export interface CommitBuilder {
  /** One subscription's changes, in their order, as one commit of its last state. */
  commit(changes: readonly Change[], plan: Plan, extras?: CommitExtras): Promise<Commit>;
}

export function createCommitBuilder(service: Service): CommitBuilder {
  const endpoints = remembered((projectId: ProjectId) => service.store.listEndpoints(projectId));
  const prices = remembered((mint: string) => priceOf(service, mint));

  const attempts = async (drafts: readonly AttemptDraft[], plan: Plan): Promise<readonly Attempt[]> => {
    if (drafts.length === 0) return [];
    const price = await prices(plan.mint);
    return inOrder(service, 'att', drafts).map((draft) => ({
      ...draft,
      amountUsd: usdAmount(price, draft.amount, plan.decimals),
    }));
  };

  const deliveries = async (events: readonly SubscriptionEvent[], projectId: ProjectId) => {
    if (events.length === 0) return [];
    const known: readonly Endpoint[] = await endpoints(projectId);
    return createDeliveries(events, known, service.random, service.clock.now());
  };

  return {
    async commit(changes, plan, extras = {}) {
      const after = changes.at(-1)?.after;
      if (after === undefined) throw new Error('There is nothing to commit.');
      const drafts = changes.flatMap((change) => (change.attempt === null ? [] : [change.attempt]));
      const told = changes.flatMap((change) => change.events);
      const events = inOrder(service, 'evt', told).map((event) => ({
        ...event,
        projectId: after.projectId,
        subscriptionId: after.id,
        body: null,
      }));
      return {
        subscription: after,
        attempts: await attempts(drafts, plan),
        transfers: extras.transfers ?? [],
        events,
        deliveries: await deliveries(events, after.projectId),
        signedTerms: extras.signedTerms ?? null,
      };
    },
  };
}

/** Gives each a fresh id. Lists order by instant and id (requests#identifiers): ids that rise keep what happened at one instant in order. */
function inOrder<Kind extends 'att' | 'evt', Draft>(
  service: Service,
  kind: Kind,
  drafts: readonly Draft[],
): readonly (Draft & { readonly id: IdOf[Kind] })[] {
  const ids = drafts.map(() => newId(service.random, kind)).sort();
  return drafts.flatMap((draft, place) => {
    const id = ids[place];
    return id === undefined ? [] : [{ ...draft, id }];
  });
}

/** How long a price may take. */
const PRICE_MS = 1_000;

/** A charge is not held up by a price: one that cannot be had now is null (attempts#amount-in-us-dollars). */
async function priceOf(service: Service, mint: string): Promise<string | null> {
  const inTime = new AbortController();
  try {
    const late = service.clock.sleep(PRICE_MS, inTime.signal).then(() => null);
    return await Promise.race([service.prices.usd(mint), late]);
  } catch (cause) {
    service.logger.warn({ mint, cause }, 'No price could be had; the amount stays unpriced.');
    return null;
  } finally {
    inTime.abort();
  }
}

function remembered<Key, Value>(ask: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const answers = new Map<Key, Promise<Value>>();
  return (key) => {
    const known = answers.get(key);
    if (known !== undefined) return known;
    const asked = ask(key);
    answers.set(key, asked);
    return asked;
  };
}
