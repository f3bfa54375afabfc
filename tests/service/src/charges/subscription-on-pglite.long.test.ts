// Heavy: months of a subscription are played on a PostgreSQL in WebAssembly.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPgliteStore } from '@subrail/adapters/pglite';
import { OK, RecordingSender } from '@subrail/core/testing';
import { EventType } from '@subrail/core/schemas';
import type { WebhookEvent } from '@subrail/core/webhooks';
import { MONTH, openTestWorld, PRICE, withCallsCounted } from '@subrail/test-world';
import { expect, it, onTestFinished } from 'vitest';

it('charges a subscription on PGlite, delivers its webhooks, and goes on when the folder is opened again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-pglite-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const open = () => openPgliteStore({ dataDir: join(folder, 'data') });
  const first = await open();
  const sender = new RecordingSender(() => OK);
  const delivered = () =>
    sender.posts
      .map(({ body }) => JSON.parse(body) as WebhookEvent)
      .sort((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0))
      .map(({ type }) => type.replace('subscription.', ''));
  // A query of PGlite takes more turns of the event loop than time may move in.
  const world = await openTestWorld({ store: withCallsCounted(first.store), ports: { sender } });
  onTestFinished(() => world.close());
  await world.billing
    .project(world.projectId)
    .endpoints.create({ url: 'https://hooks.example.com/', types: EventType.options });
  const wallet = await world.wallet(4n * PRICE);
  const id = await world.subscribe(wallet);
  await world.deliver();
  for (let month = 1; month <= 2; month++) {
    world.advance(MONTH);
    await world.work();
    await world.deliver();
  }
  const events = ['created', 'access_granted', 'renewed', 'renewed'];
  expect(delivered()).toEqual(events);
  await first.close();

  const second = await open();
  onTestFinished(() => second.close());
  const { billing, call } = world.host(withCallsCounted(second.store));
  const paid = async () => (await call('GET', `/subscriptions/${id}/attempts`)).body['paid'];
  expect(await paid()).toEqual({ count: 3, amount: (3n * PRICE).toString() });
  world.advance(MONTH);
  // The first pass sends the charge, and the second finds that it has landed.
  await billing.worker.charge();
  world.advance(10_000);
  await billing.worker.charge();
  await billing.worker.deliver();
  expect(await paid()).toEqual({ count: 4, amount: (4n * PRICE).toString() });
  expect(await world.holding(wallet)).toBe(0n);
  expect(delivered()).toEqual([...events, 'renewed']);
  expect((await billing.project(world.projectId).doctor.examine({})).findings).toEqual([]);
});
