import { newId } from '../records/index.js';
import type { Attempt, Endpoint, Event, Plan, ProjectId, Subscription, Transfer } from '../records/index.js';
import type { Commit, SignedTerms } from '../ports/index.js';
import type { Change } from '../rules/change.js';
import type { AttemptDraft, EventDraft } from '../rules/drafts.js';
import { usdAmount } from '../rules/money.js';
import type { Service } from '../service.js';
import { deliveriesFor } from '../webhooks/deliveries-for.js';

/** What is written beside the changes of one subscription. */
export interface Beside {
  readonly transfers?: readonly Transfer[];
  readonly signedTerms?: SignedTerms;
}

/**
 * Turns changes into what the store commits: ids, prices and deliveries are added here and nowhere else.
 * Endpoints and prices are asked once for the life of a recorder, which is one pass or one request.
 */
export interface Recorder {
  /** One subscription's changes, in their order, as one commit of its last state. */
  commit(changes: readonly Change[], plan: Plan, beside?: Beside): Promise<Commit>;
}

export function createRecorder(service: Service): Recorder {
  const endpoints = remembered((projectId: ProjectId) => service.store.listEndpoints(projectId));
  const prices = remembered((mint: string) => priceOf(service, mint));

  const attempt = async (draft: AttemptDraft, plan: Plan): Promise<Attempt> => ({
    ...draft,
    id: newId(service.random, 'att'),
    amountUsd: usdAmount(await prices(plan.mint), draft.amount, plan.decimals),
  });

  const deliveries = async (events: readonly Event[], projectId: ProjectId) => {
    if (events.length === 0) return [];
    const known: readonly Endpoint[] = await endpoints(projectId);
    return deliveriesFor(events, known, service.random, service.clock.now());
  };

  return {
    async commit(changes, plan, beside = {}) {
      const after = changes.at(-1)?.after;
      if (after === undefined) throw new Error('There is nothing to commit.');
      const drafts = changes.flatMap((change) => (change.attempt === null ? [] : [change.attempt]));
      const events = numbered(
        service,
        changes.flatMap((change) => change.events),
        after,
      );
      return {
        subscription: after,
        attempts: await Promise.all(drafts.map((draft) => attempt(draft, plan))),
        transfers: beside.transfers ?? [],
        events,
        deliveries: await deliveries(events, after.projectId),
        signedTerms: beside.signedTerms ?? null,
      };
    },
  };
}

/** Lists order by (created_at, id) (D1.1): ids that rise keep events of one instant in the order they happened. */
function numbered(service: Service, drafts: readonly EventDraft[], { id, projectId }: Subscription): Event[] {
  const ids = drafts.map(() => newId(service.random, 'evt')).sort();
  return drafts.flatMap((draft, place) => {
    const eventId = ids[place];
    return eventId === undefined
      ? []
      : [{ ...draft, id: eventId, projectId, subscriptionId: id, body: null }];
  });
}

/** How long a price may take. */
const PRICE_MS = 1_000;

/** A charge is not held up by a price: one that cannot be had now is null (D11.6). */
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
