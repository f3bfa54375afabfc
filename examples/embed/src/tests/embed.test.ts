import { afterEach, beforeEach, expect, it } from 'vitest';
import { embed, type Embedded } from '../embed.js';

let embedded: Embedded;
beforeEach(async () => {
  embedded = await embed(':memory:');
});
afterEach(() => embedded.close());

it('checks access in process, without a socket', async () => {
  const { billing } = embedded;
  const { id } = await billing.projects.create({ name: 'My shop' });
  expect(await billing.project(id).access.check({ external_id: 'customer-42' })).toEqual({
    plans: [],
    revalidate_after: 10,
  });
  await embedded.tick();
});

it('serves the contract under a path of its server', async () => {
  const { billing, handler } = embedded;
  const project = await billing.projects.create({ name: 'My shop' });
  const { key } = await billing.project(project.id).keys.create();
  const response = await handler(
    new Request('http://my-shop.test/billing/v1/project', { headers: { authorization: `Bearer ${key}` } }),
  );
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual(project);
});

// seats-and-tiers#default-tier-of-projects
it('makes a project business unless another tier is given', async () => {
  const { billing } = embedded;
  expect(await billing.projects.create({ name: 'My shop' })).toMatchObject({ tier: 'business' });
  expect(await billing.projects.create({ name: 'Small shop', tier: 'free' })).toMatchObject({ tier: 'free' });
});
