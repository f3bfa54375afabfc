import { MINUTE } from '@subrail/test-world';
import { createCrypto } from '@subrail/adapters/node';
import { createBilling, createHandler, type Billing } from '@subrail/core';
import type { HttpOutcome } from '@subrail/core/ports';
import { OK, RecordingSender } from '@subrail/core/testing';
import { expect, test } from 'vitest';
import { openDeliveryWorld, type DeliveryWorld } from '../deliveries/delivery-world.js';

const GONE: HttpOutcome = { kind: 'answered', status: 410, retryAfter: null, excerpt: '' };
const OTHER_KEY = new Uint8Array(32).fill(9);

/** A process that starts on the records, with the keys of the first one or another. */
const startAgain = ({ ports }: DeliveryWorld, crypto = ports.crypto): Billing =>
  createBilling({ ...ports, crypto });

async function watch({ worker }: Billing): Promise<void> {
  await worker
    .passes()
    .find(({ name }) => name === 'watch')
    ?.run(new AbortController().signal);
}

/** The alerts of endpoints that a process's `/health` shows. */
async function endpointAlerts(billing: Billing): Promise<Readonly<Record<string, unknown>>> {
  const response = await createHandler(billing)(new Request('http://subrail.test/health'));
  const { alerts } = (await response.json()) as { alerts: readonly { kind: string; count: number }[] };
  return Object.fromEntries(
    alerts.flatMap(({ kind, count }) => (kind.startsWith('endpoint_') ? [[kind, count]] : [])),
  );
}

async function turnedOff() {
  const world = await openDeliveryWorld(new RecordingSender(() => GONE));
  const { id } = await world.endpoint('a');
  await world.happens('subscription.created');
  await world.deliver();
  expect(await endpointAlerts(world.billing)).toEqual({ endpoint_turned_off: 1 });
  const { endpoints } = world.billing.project(world.project.id);
  return { world, id, endpoints };
}

// alerts#endpoints
test('an endpoint that was turned off is in alert after a restart, and for as long as it is off', async () => {
  const { world } = await turnedOff();
  const again = startAgain(world);
  expect(await endpointAlerts(again)).toEqual({});
  await watch(again);
  expect(await endpointAlerts(again)).toEqual({ endpoint_turned_off: 1 });
  world.clock.advance(40 * 24 * 60 * MINUTE);
  await watch(again);
  expect(await endpointAlerts(again)).toEqual({ endpoint_turned_off: 1 });
});

// alerts#endpoints
test.each(['enable', 'disable', 'delete'] as const)('%s ends that, in every process', async (act) => {
  const { world, id, endpoints } = await turnedOff();
  const again = startAgain(world);
  await watch(again);
  await endpoints[act](id);
  expect(await endpointAlerts(world.billing)).toEqual({});
  world.clock.advance(MINUTE);
  await watch(again);
  expect(await endpointAlerts(again)).toEqual({});
  world.clock.advance(10 * MINUTE);
  for (const billing of [world.billing, again, startAgain(world)]) {
    await watch(billing);
    expect(await endpointAlerts(billing)).toEqual({});
  }
});

// alerts#endpoints
test('an endpoint that was turned off and is disabled by hand stays off, and has no reason', async () => {
  const { id, endpoints } = await turnedOff();
  expect(await endpoints.retrieve(id)).toMatchObject({ enabled: false, disabled_reason: 'gone' });
  expect(await endpoints.disable(id)).toMatchObject({ enabled: false, disabled_reason: null });
});

// alerts#endpoints, deliveries#secret-that-cannot-be-opened
test('of two hosts with different sealing keys both say so, each for what the other sealed', async () => {
  const world = await openDeliveryWorld(new RecordingSender(() => OK));
  const first = world.billing;
  await world.endpoint('a');
  const second = startAgain(world, createCrypto(OTHER_KEY));
  await watch(second);
  expect(await endpointAlerts(second)).toEqual({ endpoint_cannot_sign: 1 });
  await second
    .project(world.project.id)
    .endpoints.create({ url: 'https://b.example.com/', types: ['subscription.created'] });
  world.clock.advance(10 * MINUTE);
  await watch(first);
  await watch(second);
  expect(await endpointAlerts(first)).toEqual({ endpoint_cannot_sign: 1 });
  expect(await endpointAlerts(second)).toEqual({ endpoint_cannot_sign: 1 });

  // The first host sends what the second one tried in vain.
  await world.happens('subscription.created');
  await second.worker.deliver();
  world.clock.advance(2 * MINUTE);
  await first.worker.deliver();
  const kinds = (billing: Billing) => billing.service.alerts.open().map(({ kind }) => kind);
  expect(kinds(first)).toContain('sealing_keys_differ');
  expect(kinds(second)).not.toContain('sealing_keys_differ');
  world.clock.advance(60 * MINUTE);
  expect(kinds(first)).not.toContain('sealing_keys_differ');

  // One key for all of them.
  const both = startAgain(world, createCrypto(OTHER_KEY, { older: [new Uint8Array(32).fill(7)] }));
  await both.secrets.reseal();
  world.clock.advance(10 * MINUTE);
  await watch(second);
  expect(await endpointAlerts(second)).toEqual({});
});
