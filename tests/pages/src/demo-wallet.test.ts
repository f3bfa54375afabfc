// Heavy: Chromium pays with the demo wallet, as at the first start.

import { createKeyPairSignerFromPrivateKeyBytes, getBase58Encoder, type KeyPairSigner } from '@solana/kit';
import type { DemoWallet } from '@subrail/pages';
import { signMessage, signTransaction } from '@subrail/localnet';
import { DAY, PRICE, type TestWorld } from '@subrail/test-world';
import { expect, it } from 'vitest';
import { logIn } from './dashboard/desk.js';
import { expectEveryLook } from './every-look.js';
import { focusedText } from './focused-text.js';
import { takeDocsPicture } from './screenshots.js';
import { sharedPages } from './shared-pages.js';

/** The customer of docs/sell.md, whose address is in its pictures. */
const customer = () => createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(9));

/** When the customer of docs/sell.md pays. */
const PAID_AT = Date.parse('2026-11-27T03:09:15Z');

const pages = sharedPages({ demoWalletOf });

/** A demo wallet with one account, whoever visits. */
async function demoWalletOf(world: TestWorld): Promise<DemoWallet> {
  const key: KeyPairSigner = await world.wallet(10n * PRICE, await customer());
  const bytesOf = (text: string) => Uint8Array.from(getBase58Encoder().encode(text));
  return {
    open: async () => ({ address: key.address, publicKey: bytesOf(key.address) }),
    sign: async (_, what, bytes) =>
      what === 'message'
        ? bytesOf(await signMessage(key, new TextDecoder().decode(bytes)))
        : Buffer.from(await signTransaction(key, Buffer.from(bytes).toString('base64')), 'base64'),
  };
}

/** The project and the plan of docs/sell.md, on its day, and another plan. */
async function openShop() {
  const { world } = pages;
  world.advance(PAID_AT - world.now().getTime());
  pages.vouchFor([{ mint: world.token.mint, symbol: 'dUSD', name: 'Demo dollar', logoUrl: null }]);
  const { id } = await world.billing.projects.create({ name: 'Demo' });
  await world.publishPlan(id, 'weekly', {
    name: 'Weekly letter',
    description: 'A letter every week',
    amount: '7500000',
    period_hours: 7 * 24,
  });
  await world.publishPlan(id, 'monthly', { name: 'Monthly letter', amount: '2500000' });
  return world.billing.project(id);
}

// plan-changes#change-in-the-terms
it('pays with the demo wallet, declined once, shows what was paid, and changes the plan', async () => {
  const shop = await openShop();
  const link = await shop.links.create({ plan: 'weekly', ask_email: true });
  const { page } = await pages.open([], {}, `/checkout/${link.id}`);
  const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor();
  await press('Demo wallet');
  await press('Decline');
  await page.getByText('Demo wallet did not allow it.').first().waitFor();
  await press('Demo wallet');
  await press('Approve');
  await heading('Check and pay');
  expect(await focusedText(page)).toBe('Check and pay');
  await page.getByLabel('Email').fill('ada@example.com');
  await takeDocsPicture(page, 'checkout');
  await press(/^Subscribe and pay/);
  await page.getByText('Sign this text?').waitFor();
  await expectEveryLook(page, 'demo-wallet');
  await press('Approve');
  await page.getByText('Sign this transaction on the local chain?').waitFor();
  await press('Approve');
  await heading('You are subscribed to Weekly letter');
  expect(await focusedText(page)).toBe('You are subscribed to Weekly letter');
  await takeDocsPicture(page, 'paid');

  pages.world.advance(7 * DAY);
  await pages.world.work();
  const [paid] = (await shop.subscriptions.list({ email: 'ada@example.com' })).data;
  const { url } = await shop.portal.create({ subscription: paid?.id ?? '' });
  const { page: portal } = await pages.open([], {}, `/portal${new URL(url).hash}`);
  await portal.getByText('Payments', { exact: true }).click();
  await portal.getByText('2 payments, 15 dUSD in all.').waitFor();
  await takeDocsPicture(portal, 'portal');

  const more = await shop.portal.create({ subscription: paid?.id ?? '', plans: ['monthly'] });
  const { page: change } = await pages.open([], {}, `/portal${new URL(more.url).hash}`);
  await change.getByText('Change the plan').click();
  for (const button of [/^Monthly letter/, 'Demo wallet', 'Approve'])
    await change.getByRole('button', { name: button }).click();
  await change.getByText('Weekly letter, which is paid until 11 December 2026').waitFor();
  await takeDocsPicture(change, 'change');
  for (const button of [/^Change and pay 2.50 dUSD/, 'Approve', 'Approve'])
    await change.getByRole('button', { name: button }).click();
  await change.getByRole('heading', { name: 'You are subscribed to Monthly letter' }).waitFor();
});

it('speaks the language of the page', async () => {
  const shop = pages.world.billing.project(pages.world.projectId);
  const link = await shop.links.create({ plan: 'pro' });
  const { page } = await pages.open([], { locale: 'de-DE' }, `/checkout/${link.id}`);
  const press = (name: string) => page.getByRole('button', { name }).click();
  await press('Demo wallet');
  await page.getByText('Darf diese Seite das Konto der Demo-Wallet sehen?').waitFor();
  await press('Erlauben');
  await page.getByRole('heading', { name: 'Prüfen und zahlen' }).waitFor();
});

// dashboard#signing-of-a-plan
it('owns and publishes a plan in the dashboard', async () => {
  const { world } = pages;
  const { key } = await world.billing.management.createKey({ name: 'Ada', access: 'write' });
  const { page } = await pages.open([], {}, `/dashboard#/${world.projectId}/plans`);
  const press = (name: string) => page.getByRole('button', { name }).click();
  await logIn(page, key);
  await press('Create a plan');
  await page.getByLabel('Name').fill('Of the demo wallet');
  await press('Take it from a wallet');
  await press('Take the account of Demo wallet');
  await press('Approve');
  await page.getByLabel('Price in whole tokens').fill('2.5');
  await page.getByRole('dialog').getByRole('button', { name: 'Create a plan' }).click();
  await page.getByRole('heading', { name: 'Of the demo wallet' }).waitFor();
  await press('Publish');
  await press('Publish with Demo wallet');
  await page.getByText('Sign this transaction on the local chain?').waitFor();
  await press('Approve');
  await page.getByText('The plan is published.').waitFor();
});
