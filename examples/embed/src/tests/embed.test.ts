import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { address } from '@solana/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { embed, type Embedded } from '../embed.js';

let folder: string;
let embedded: Embedded;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-embed-'));
  embedded = await embed(join(folder, 'billing'));
});
afterEach(async () => {
  await embedded.close();
  rmSync(folder, { recursive: true });
});

it('checks access in process, without a socket', async () => {
  const { billing } = embedded;
  const { id } = await billing.projects.create({ name: 'My shop' });
  expect(await billing.project(id).access.check({ external_id: 'customer-42' })).toEqual({
    plans: [],
    revalidate_after: 10,
  });
  await billing.worker.runUntilIdle();
});

it('serves the contract under a path of its server', async () => {
  const { billing } = embedded;
  const project = await billing.projects.create({ name: 'My shop' });
  const { key } = await billing.project(project.id).keys.create();
  const response = await billing.handler(
    new Request('http://my-shop.test/billing/v1/project', { headers: { authorization: `Bearer ${key}` } }),
  );
  expect(response.status).toBe(200);
  expect(project).toMatchObject((await response.json()) as object);
});

it('goes on after a restart with the same keys, database and chain', async () => {
  const project = await embedded.billing.projects.create({ name: 'My shop' });
  await embedded.billing.project(project.id).endpoints.create({
    url: 'https://shop.example.com/webhooks',
    types: ['subscription.created'],
  });
  const charger = address(embedded.billing.service.chain.charger);
  embedded.solana.airdrop(charger, 1_000_000_000n);
  await embedded.close();
  for (const name of ['billing.db', 'charger.json', 'sealing-key']) {
    expect(statSync(join(folder, 'billing', name)).mode & 0o777).toBe(0o600);
  }
  expect(JSON.parse(readFileSync(join(folder, 'billing', 'charger.json'), 'utf8'))).toHaveLength(64);

  embedded = await embed(join(folder, 'billing'));
  const { billing, rpc } = embedded;
  expect(await billing.project(project.id).detail()).toEqual(project);
  expect(billing.service.chain.charger).toBe(charger);
  expect(await billing.checkSealingKey()).toBe('ok');
  expect((await rpc.getBalance(charger).send()).value).toBe(1_000_000_000n);
});

// seats-and-tiers#default-tier-of-projects
it('makes a project business unless another tier is given', async () => {
  const { billing } = embedded;
  expect(await billing.projects.create({ name: 'My shop' })).toMatchObject({ tier: 'business' });
  expect(await billing.projects.create({ name: 'Small shop', tier: 'free' })).toMatchObject({ tier: 'free' });
});
