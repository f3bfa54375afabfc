// Heavy: Chromium pays with the demo wallet, as at the first start.

import { getBase58Encoder } from '@solana/kit';
import type { DemoWallet } from '@subrail/pages';
import { signMessage, signTransaction } from '@subrail/localnet';
import { PRICE, type TestWorld } from '@subrail/test-world';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectEveryLook } from './every-look.js';
import { focusedText } from './focused-text.js';
import { openPageWorld, type PageWorld } from './page-world.js';

let pages: PageWorld;

beforeAll(async () => {
  pages = await openPageWorld({ demoWalletOf });
});
afterAll(() => pages.close());

/** A demo wallet with one account, whoever visits. */
async function demoWalletOf(world: TestWorld): Promise<DemoWallet> {
  const key = await world.wallet(10n * PRICE);
  const bytesOf = (text: string) => Uint8Array.from(getBase58Encoder().encode(text));
  return {
    open: async () => ({ address: key.address, publicKey: bytesOf(key.address) }),
    sign: async (_, what, bytes) =>
      what === 'message'
        ? bytesOf(await signMessage(key, new TextDecoder().decode(bytes)))
        : Buffer.from(await signTransaction(key, Buffer.from(bytes).toString('base64')), 'base64'),
  };
}

it('pays with the demo wallet, declined once, and the focus comes back from its dialogs', async () => {
  const { id } = await pages.world.billing.project(pages.world.projectId).links.create({ plan: 'pro' });
  const opened = await pages.open([], {}, `/checkout/${id}`);
  const { page, faults } = opened;
  const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor();
  await press('Demo wallet');
  await press('Decline');
  await page.getByText('Demo wallet did not allow it.').first().waitFor();
  await press('Demo wallet');
  await press('Approve');
  await heading('Check and pay');
  expect(await focusedText(page)).toBe('Check and pay');
  await press(/^Subscribe and pay/);
  await page.getByText('Sign this text?').waitFor();
  await expectEveryLook(page, 'demo-wallet');
  await press('Approve');
  await page.getByText('Sign this transaction on the local chain?').waitFor();
  await press('Approve');
  await heading('You are subscribed to Pro');
  expect(await focusedText(page)).toBe('You are subscribed to Pro');
  expect(faults).toEqual([]);
  await opened.close();
});
