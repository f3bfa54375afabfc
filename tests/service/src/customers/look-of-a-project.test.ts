import { openTestWorld } from '@subrail/test-world';
import { expect, it } from 'vitest';
import { pageOf } from './customer-pages.js';

const LOGO = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')}`;

// portal#look-of-a-project
it('the colour and the picture of a project are on the pages of its customers, and on no others', async () => {
  const world = await openTestWorld({ store: 'sqlite' });
  const shop = world.billing.project(world.projectId);
  const page = pageOf(world, (await shop.checkouts.create({ plan: 'pro' })).url);
  const shown = async () => (await page.view())['project'];
  expect(await shop.look()).toEqual({ accent: null, logo: null });
  expect(await shop.updateLook({ accent: '#0A7D5A' })).toEqual({ accent: '#0a7d5a', logo: null });
  expect(await shop.updateLook({ logo: LOGO })).toEqual({ accent: '#0a7d5a', logo: LOGO });
  expect(await shown()).toEqual({ name: 'Night Library', accent: '#0a7d5a', logo: LOGO });
  const other = world.billing.project((await world.billing.projects.create({ name: 'Other' })).id);
  expect(await other.look()).toEqual({ accent: null, logo: null });
  await shop.updateLook({ accent: null, logo: null });
  expect(await shown()).toEqual({ name: 'Night Library', accent: null, logo: null });
});

// portal#look-of-a-project
it.each([
  [{ accent: 'red' }, 'colour'],
  [{ accent: '#0a7d5a;--x:1' }, 'colour'],
  [{ logo: 'https://shop.example/logo.png' }, 'picture'],
  [{ logo: 'data:text/html;base64,PHNjcmlwdD4=' }, 'picture'],
  [{ logo: 'data:image/svg+xml,<svg onload="alert(1)"/>' }, 'picture'],
  [{ logo: `data:image/png;base64,${'A'.repeat(16_384)}` }, '12 kB'],
])('a look like %o is refused, and changes nothing', async (look, word) => {
  const world = await openTestWorld({ store: 'sqlite' });
  const shop = world.billing.project(world.projectId);
  await expect(shop.updateLook(look)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining(word) as string,
  });
  expect(await shop.look()).toEqual({ accent: null, logo: null });
});
