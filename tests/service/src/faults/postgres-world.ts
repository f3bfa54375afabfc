import { openPostgresStore, type PostgresOptions } from '@subrail/adapters/postgres';
import type { SubscriptionId } from '@subrail/core/ports';
import { EventType } from '@subrail/core/schemas';
import { RecordingSender } from '@subrail/core/testing';
import { emptyDatabase, openNetwork, withClient, type Network } from '@subrail/test-postgres';
import { MONTH, openTestWorld, PRICE, storedSubscription, type TestWorld } from '@subrail/test-world';
import { expect, inject, onTestFinished } from 'vitest';

const SUBSCRIBERS = 2;

const BUSY = `select from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;

/** A world on a PostgreSQL database of its own, with subscribers and an endpoint. */
export interface PostgresWorld {
  readonly world: TestWorld;
  /** The network between the store of the world and its server. */
  readonly network: Network;
  /** What the endpoint gets. */
  readonly sender: RecordingSender;
  /** Every subscription that was made in the world. */
  readonly ids: string[];
}

/** Opens a world, which is closed when the test ends. */
export async function openPostgresWorld(options: Partial<PostgresOptions> = {}): Promise<PostgresWorld> {
  const database = await emptyDatabase(inject('postgres'));
  onTestFinished(() => database.drop());
  const network = await openNetwork(database.url);
  onTestFinished(network.close);
  const { store, close } = await openPostgresStore({ ...options, url: network.url });
  onTestFinished(close);
  const sender = new RecordingSender();
  const world = await openTestWorld({ store, ports: { sender } });
  await world.billing
    .project(world.projectId)
    .endpoints.create({ url: 'https://shop.example.com/webhooks', types: EventType.options });
  const ids: string[] = [];
  for (let number = 0; number < SUBSCRIBERS; number++)
    ids.push(await world.subscribe(await world.wallet(1_000n * PRICE), `customer-${number}`));
  await world.deliver();
  return { world, network, sender, ids };
}

/** Waits until the server has ended the statements of connections that were cut, whose rows are locked. */
export async function serverIdle(url: string): Promise<void> {
  const busy = () => withClient(url, async (client) => (await client.query(BUSY)).rowCount);
  await expect.poll(busy).toBe(0);
}

/**
 * Lets leases run out and the worker go on. Then every begun period must be paid once, nothing be in flight,
 * and each event be sent with one id and the same bytes.
 */
export async function expectNothingLost({ world, sender, ids }: PostgresWorld): Promise<void> {
  world.advance(5 * 60_000);
  await world.work();
  await world.deliver();
  for (const id of ids) {
    const { status, paidCount, createdAt } = await storedSubscription(world, id);
    const begun = 1 + Math.floor((world.now().getTime() - createdAt.getTime()) / MONTH);
    expect({ status, paidCount }).toEqual({ status: 'active', paidCount: begun });
    expect(await world.store.findOpenTransfer(id as SubscriptionId)).toBeNull();
  }
  const bodies = new Map<string, Set<string>>();
  for (const { headers, body } of sender.posts) {
    const id = headers['webhook-id'] ?? '';
    bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
  }
  const sent = [...bodies.values()].flatMap((same) => [...same]);
  expect(sent).toHaveLength(bodies.size);
  const sentEvents = sent.map((body) => (JSON.parse(body) as { readonly id: string }).id);
  const storedEvents = (await world.storedEvents()).map(({ id }) => id);
  expect(sentEvents.toSorted()).toEqual(storedEvents.toSorted());
}
