import type { EventFilter, Store } from '../../../ports/store.js';
import type { EventId, ProjectId, Subscription, SubscriptionEvent } from '../../../records/index.js';
import { eventLoopTurn } from '../../event-loop-turn.js';
import { expectThat, expectEqual } from '../../expect.js';
import { aCommit } from '../../records.js';
import { at, mustCommit, nextVersion, storeFixture, eventOf } from '../fixture.js';
import type { StoreTests } from '../store-under-test.js';

const EVERY_EVENT: EventFilter = { type: null, subscriptionId: null };

/** How many callers write at once, how many commits each makes, and how many events a commit has. */
const WRITERS = 4;
const COMMITS = 6;
const EVENTS = 5;

const idsIn = (events: readonly SubscriptionEvent[]): EventId[] => events.map(({ id }) => id);

/** Reads the list from its newest event, `limit` events a page, until the event with this id or its end. */
async function readUntil(
  store: Store,
  projectId: ProjectId,
  lastSeen: EventId | null,
  { filter = EVERY_EVENT, limit = 3 }: { readonly filter?: EventFilter; readonly limit?: number } = {},
): Promise<EventId[]> {
  const read: EventId[] = [];
  for (let startingAfter: EventId | null = null; ;) {
    const page = await store.listEvents(projectId, at(0), filter, { limit, startingAfter });
    expectThat(page !== 'unknown_cursor', 'the last event of a page to be a cursor of the list');
    for (const { id } of page.data) {
      if (id === lastSeen) return read;
      read.push(id);
    }
    if (!page.hasMore) return read;
    startingAfter = page.data.at(-1)?.id ?? null;
  }
}

/** The events list is in the order in which events were committed, whatever their dates and ids. */
export const eventOrderTests: StoreTests = {
  'lists events in the order of their writing, whatever their dates': async ({ store }) => {
    const fixture = await storeFixture(store);
    const elsewhere = await storeFixture(store);
    const [one, two] = [fixture.aSubscription(), fixture.aSubscription()];
    const foreign = elsewhere.aSubscription();
    const event = (
      of: Subscription,
      sequence: number,
      ms: number,
      id: string,
      type = 'subscription.created',
    ) =>
      eventOf(of, sequence, {
        createdAt: at(ms),
        id: id as EventId,
        type: type as SubscriptionEvent['type'],
      });
    const renewed = 'subscription.renewed';
    // Dates go back, and several are equal. Ids fall, so that an order by them shows too.
    const first = [event(one, 1, 5, 'evt_9'), event(one, 2, 5, 'evt_8')];
    const second = [event(two, 1, 9, 'evt_7', renewed), event(foreign, 1, 9, 'evt_6')];
    const third = [event(one, 3, 1, 'evt_5', renewed)];
    const fourth = [event(two, 2, 9, 'evt_4')];
    await mustCommit(store, aCommit(one, { events: first }));
    await mustCommit(
      store,
      aCommit(two, { events: second.slice(0, 1) }),
      aCommit(foreign, { events: second.slice(1) }),
    );
    await mustCommit(store, aCommit(nextVersion(one), { events: third }));
    await mustCommit(store, aCommit(nextVersion(two), { events: fourth }));
    for (const [filter, written, what] of [
      [EVERY_EVENT, ['evt_9', 'evt_8', 'evt_7', 'evt_5', 'evt_4'], 'the events of the project'],
      [{ ...EVERY_EVENT, type: 'subscription.renewed' }, ['evt_7', 'evt_5'], 'the events of a type'],
      [{ ...EVERY_EVENT, subscriptionId: one.id }, ['evt_9', 'evt_8', 'evt_5'], 'those of a subscription'],
      [{ type: 'subscription.renewed', subscriptionId: one.id }, ['evt_5'], 'those of both'],
    ] as const)
      for (const limit of [1, 2, 9])
        expectEqual(
          await readUntil(store, fixture.project.id, null, { filter, limit }),
          written.toReversed(),
          `${what}, the last written first, in pages of ${limit}`,
        );
  },

  'keeps the place of an event in the list when its body is written': async ({ store }) => {
    const fixture = await storeFixture(store);
    const subscription = fixture.aSubscription();
    const events = [1, 2, 3].map((sequence) => eventOf(subscription, sequence));
    await mustCommit(store, aCommit(subscription, { events }));
    await store.saveBodiesIfAbsent(events.slice(0, 2).map(({ id }) => ({ eventId: id, body: 'the body' })));
    expectEqual(await readUntil(store, fixture.project.id, null), idsIn(events).reverse(), 'the events');
  },

  'shows a poller every event exactly once, while callers write': async ({ store, peer }) => {
    const fixture = await storeFixture(store);
    const { id: projectId } = fixture.project;
    let written = 0;
    let writing = WRITERS;
    const write = async (writer: number): Promise<void> => {
      let subscription = fixture.aSubscription();
      for (let commit = 0; commit < COMMITS; commit++) {
        const first = commit * EVENTS + 1;
        const events = Array.from({ length: EVENTS }, (_, place) =>
          // The writers' times differ, and some go back.
          eventOf(subscription, first + place, { createdAt: at(((writer + 1) * 7 + commit * 5) % 11) }),
        );
        await mustCommit(writer % 2 === 0 ? store : peer, aCommit(subscription, { events }));
        written += EVENTS;
        subscription = nextVersion(subscription);
        await eventLoopTurn();
      }
      writing -= 1;
    };

    const seen: EventId[] = [];
    const poll = async (): Promise<void> => {
      seen.unshift(...(await readUntil(peer, projectId, seen[0] ?? null)));
    };
    const polling = async (): Promise<void> => {
      while (writing > 0) {
        await poll();
        await eventLoopTurn();
      }
    };
    await Promise.all([...Array.from({ length: WRITERS }, (_, writer) => write(writer)), polling()]);
    await poll();

    expectEqual(seen.length, written, 'how many events the poller saw');
    expectEqual(new Set(seen).size, written, 'how many different ones they were');
    expectEqual(await readUntil(store, projectId, null), seen, 'the list after the last write');
  },
};
