import { beforeEach, expect, it } from 'vitest';
import type { VerifiedToken } from '@subrail/core/ports';
import { issueCheckout, openTestWorld, PRICE, type TestWorld } from '@subrail/test-world';

const MOST = 1_212;
const LONG = `https://shop.example/${'x'.repeat(300)}`;

let world: TestWorld;
let listed: readonly VerifiedToken[] = [];
const call = (symbol: string) => {
  listed = [{ mint: world.token.mint, symbol, name: 'A token', logoUrl: null }];
};
beforeEach(async () => {
  listed = [];
  world = await openTestWorld({ ports: { tokens: { list: async () => listed } } });
  call('LONGSYMBOL');
});

const shop = () => world.billing.project(world.projectId);
const input = (more: object) => ({
  ...{
    name: '課金'.repeat(14),
    owner: world.owner.address,
    mint: world.token.mint,
    amount: '18446744073709551615',
  },
  ...{ period_hours: 8_759, slug: 'long', ...more },
});

// terms#terms-fit-hardware-wallets
it('a plan whose terms a hardware wallet could not sign is refused, and the sentence says by how much it is too long', async () => {
  const refused = shop().plans.create(input({ website: LONG }));
  await expect(refused).rejects.toMatchObject({ code: 'invalid_request' });
  const excess = await refused.catch((error: unknown) =>
    Number(/(\d+) bytes too long/.exec(String(error))?.[1]),
  );
  expect(excess).toBeGreaterThan(0);
  // Shortened by exactly that, it is accepted.
  const website = LONG.slice(0, LONG.length - Number(excess));
  await expect(shop().plans.create(input({ website: `${website}x` }))).rejects.toMatchObject({
    code: 'invalid_request',
  });
  const { slug } = await shop().plans.create(input({ website }));

  // What would make them longer again is refused, and what is not in them is not.
  await expect(shop().plans.update(slug, { website: LONG })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await expect(shop().update({ name: 'Longer than before' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await expect(shop().update({ cancel_url: LONG })).rejects.toMatchObject({
    code: 'invalid_request',
  });
  await shop().update({ logo_url: LONG });
  await shop().plans.update(slug, { description: 'x'.repeat(280), logo_url: LONG });
});

// terms#terms-fit-hardware-wallets
it('the terms of an accepted plan fit, also with the longest symbol, and a longer one is not shown', async () => {
  const message = async () => {
    const wallet = await world.wallet(10n * PRICE);
    return (await issueCheckout(world, wallet)).terms.message;
  };
  const terms = await message();
  expect(terms).toContain('Token: LONGSYMBOL, mint');
  expect(Buffer.byteLength(terms)).toBeLessThanOrEqual(MOST);
  call('LONGSYMBOLS');
  expect(await message()).toContain(`Token: mint ${world.token.mint}`);
});
