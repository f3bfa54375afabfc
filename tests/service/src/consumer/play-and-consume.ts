import { expect } from 'vitest';
import { OK, RecordingSender, SeededRandom } from '@subrail/core/testing';
import { EventType } from '@subrail/core/schemas';
import type { WebhookEvent } from '@subrail/core/webhooks';
import { openTestWorld, type TestWorld } from '@subrail/test-world';
import { Consumer, type ReceivedEvent } from './consumer.js';
import { CUSTOMERS, Players, type Act } from './history.js';

/** Longer than a delivery waits for its second attempt. */
const RETRY_MS = 70_000;

/**
 * Plays a history. After each act a new consumer gets all deliveries so far, shuffled and some of them twice,
 * and its knowledge is compared with the access route.
 * @param seed of the shuffles, and of the answers that the service does not get
 * @returns the types of the events that were received
 */
export async function playAndConsume(acts: readonly Act[], seed: number): Promise<ReadonlySet<string>> {
  const random = new SeededRandom(seed);
  const draw = () => new DataView(random.bytes(4).buffer).getUint32(0);
  const half = () => draw() % 2 === 0;
  const received: ReceivedEvent[] = [];
  let losesAnswers = false;
  const sender = new RecordingSender(({ headers, body }) => {
    received.push({ webhookId: headers['webhook-id'] ?? '', event: JSON.parse(body) as WebhookEvent });
    // The receiver had it, but the service does not know and repeats it.
    return losesAnswers && half() ? { kind: 'timed_out' } : OK;
  });
  const world = await openTestWorld({ ports: { sender } });
  await world.billing
    .project(world.projectId)
    .endpoints.create({ url: 'https://shop.example.com/webhooks', types: EventType.options });
  const players = await Players.join(world);

  const begin: Act[] = CUSTOMERS.map((_, customer) => ({ kind: 'subscribes', by: customer }));
  for (const act of [...begin, ...acts]) {
    await players.play(act);
    await world.work();
    losesAnswers = true;
    await world.deliver();
    // The repetitions are answered, so that the endpoint does not fail for days while time passes.
    losesAnswers = false;
    world.advance(RETRY_MS);
    await world.work();
    await world.deliver();

    const arrivals = [...received, ...received.filter(half)]
      .map((arrived) => ({ arrived, place: draw() }))
      .sort((one, other) => one.place - other.place)
      .map(({ arrived }) => arrived);
    await expectSameAccess(world, arrivals, act);
  }
  expectOneEventPerChange(players, received);
  await world.close();
  return new Set(received.map(({ event }) => event.type.replace('subscription.', '')));
}

/** The consumer and the access route agree on every customer. */
async function expectSameAccess(
  world: TestWorld,
  arrivals: readonly ReceivedEvent[],
  act: Act,
): Promise<void> {
  const consumer = new Consumer();
  for (const arrived of arrivals) consumer.receive(arrived);
  for (const customer of CUSTOMERS) {
    const { body } = await world.call('GET', `/access?external_id=${customer}&plan=pro`);
    const after = `access of ${customer} after ${JSON.stringify(act)}`;
    expect(consumer.hasAccess(customer, 'pro'), after).toBe(body['access']);
  }
}

/**
 * invariants#sequence-is-complete, invariants#access-events-alternate, events#access-event-per-change: the
 * numbers of a subscription's events have no gap, each is one event under one webhook-id, and each change of
 * access has one access event.
 */
function expectOneEventPerChange(players: Players, received: readonly ReceivedEvent[]): void {
  const byId = new Map(received.map(({ webhookId, event }) => [webhookId, event]));
  for (const id of players.ids.flatMap((ids) => [...ids])) {
    const events = [...byId.values()]
      .filter(({ data }) => data.id === id)
      .sort((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0));
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
    let before = false;
    for (const change of changesOf(events)) {
      const access: boolean = change[0]?.data.access ?? before;
      const announced = change.map(({ type }) => type).filter((type) => type.includes('.access_'));
      const expected = access ? 'subscription.access_granted' : 'subscription.access_revoked';
      expect(announced).toEqual(access === before ? [] : [expected]);
      before = access;
    }
  }
}

/** The events of a subscription by change: those of one change share the subscription right after it. */
function changesOf(events: readonly WebhookEvent[]): readonly (readonly WebhookEvent[])[] {
  const changes: WebhookEvent[][] = [];
  for (const event of events) {
    const last = changes.at(-1);
    if (JSON.stringify(last?.[0]?.data) === JSON.stringify(event.data)) last?.push(event);
    else changes.push([event]);
  }
  return changes;
}
