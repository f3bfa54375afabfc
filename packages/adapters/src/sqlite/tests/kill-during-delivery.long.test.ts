// Heavy: processes that deliver are killed and started again.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createBilling } from '@subrail/core';
import type { Chain } from '@subrail/core/ports';
import {
  aCommit,
  aDelivery,
  anEvent,
  aSubscription,
  partialPort,
  RecordingSender,
  SeededRandom,
} from '@subrail/core/testing';
import { expect, test } from 'vitest';
import { createClock } from '../../web/clock/clock.js';
import { createCrypto, createRandom } from '../../node/index.js';
import { openSqliteStore } from '../index.js';
import { startChild } from './child.js';
import { scratchFile } from './scratch.js';
import { storedPlan } from '../../tests/stored-plan.js';

const KILLS = Number(process.env['KILLS'] ?? 10);
const ENDPOINTS = 3;
const EVENTS = 400;
/** Longer than a killed sender holds an endpoint. */
const LEASE_MS = 41_000;
const SEALING_KEY = Buffer.alloc(32, 7);

// deliveries#delivery-id-for-deduplication, deliveries#same-bytes-for-every-attempt
test(`a sender killed ${KILLS} times loses no delivery, and repeats one only with its id and bytes`, async () => {
  const random = new SeededRandom(7);
  const bodies = new Map<string, Set<string>>();
  let received = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const id = String(request.headers['webhook-id']);
      bodies.set(id, (bodies.get(id) ?? new Set()).add(Buffer.concat(chunks).toString()));
      received += 1;
      setTimeout(() => response.end(), (random.bytes(1)[0] ?? 0) % 20);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const { path, remove } = scratchFile();
  const { store, close } = await openSqliteStore({ path });
  const billing = createBilling({
    store,
    clock: createClock(),
    chain: partialPort<Chain>({ network: 'devnet' }),
    random: createRandom(),
    crypto: createCrypto(SEALING_KEY),
    sender: new RecordingSender(),
    settings: { privateTargets: true },
  });
  const { project, plan } = await storedPlan(store);
  const endpoints = await Promise.all(
    Array.from({ length: ENDPOINTS }, (_, place) =>
      billing
        .project(project.id)
        .endpoints.create({ url: `${url}/${place}`, types: ['subscription.created'] }),
    ),
  );
  const now = new Date();
  const events = await Promise.all(
    Array.from({ length: EVENTS }, async () => {
      const subscription = aSubscription({ projectId: project.id, planId: plan.id, lastSequence: 1 });
      const event = anEvent({ projectId: project.id, subscriptionId: subscription.id, createdAt: now });
      const deliveries = endpoints.map(({ id }) =>
        aDelivery({
          projectId: project.id,
          eventId: event.id,
          endpointId: id as never,
          createdAt: now,
          nextAttemptAt: now,
        }),
      );
      await store.commit([aCommit(subscription, { events: [event], deliveries })]);
      return event;
    }),
  );

  const start = (kill: number) =>
    startChild('deliver-forever', path, SEALING_KEY.toString('hex'), String(kill * LEASE_MS));
  for (let kill = 0; kill < KILLS; kill += 1) {
    const before = received;
    const sender = start(kill);
    while (received === before) await pause(5);
    await pause((random.bytes(1)[0] ?? 0) % 60);
    await sender.kill();
  }
  const pending = async () => (await store.nextDeliveryAt()) !== null;
  expect(await pending()).toBe(true);
  const last = start(KILLS);
  while (await pending()) await pause(20);
  await last.kill();

  const ids = new Set<string>();
  for (const event of events) {
    const deliveries = await store.listDeliveries(event.id);
    expect(deliveries.map(({ state, attempts }) => ({ state, attempts }))).toEqual(
      endpoints.map(() => ({ state: 'delivered', attempts: 1 })),
    );
    const sent = new Set(deliveries.flatMap(({ id }) => [...(bodies.get(id) ?? [])]));
    expect([...sent].map((body) => (JSON.parse(body) as { id: string }).id)).toEqual([event.id]);
    for (const { id } of deliveries) ids.add(id);
  }
  expect(new Set(bodies.keys())).toEqual(ids);
  expect(ids.size).toBe(EVENTS * ENDPOINTS);

  server.closeAllConnections();
  server.close();
  await close();
  remove();
}, 300_000);
