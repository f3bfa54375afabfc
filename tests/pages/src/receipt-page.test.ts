// Heavy: Chromium opens receipts, as desktops and phones do, and prints them.

import { PRICE } from '@subrail/test-world';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectEveryLook } from './every-look.js';
import { takePicture } from './screenshots.js';
import { press, shows } from './scenarios/scene.js';
import { sharedPages } from './shared-pages.js';

const pages = sharedPages();
let customers = 0;

const shop = () => pages.world.billing.project(pages.world.projectId);

/** A customer who has paid a month, with the portal's address and the payment. */
async function payer(externalId = `payer-${(customers += 1)}`) {
  await pages.world.subscribe(await pages.world.wallet(PRICE), externalId);
  const [payment] = (await shop().payments.list({ external_id: externalId, limit: 1 })).data;
  const { url } = await shop().portal.create({ external_id: externalId });
  return { payment: payment?.id ?? '', hash: new URL(url).hash, number: payment?.receipt_number ?? '' };
}

async function open(hash: string, options?: BrowserContextOptions): Promise<Page> {
  return (await pages.open([], options, `/portal${hash}`)).page;
}

/** The number of pages that a page is on paper. */
async function pagesOnPaper(page: Page, format: string): Promise<number> {
  const pdf = await page.pdf({ format });
  return [...pdf.toString('latin1').matchAll(/\/Type\s*\/Page\b(?!s)/g)].length;
}

// receipts#content-of-a-receipt, receipts#seller-of-a-receipt
it('is opened from the list of payments by keyboard, says everything, and leads back', async () => {
  await shop().updateSeller({
    legal_name: 'Night Owl GmbH',
    address: ['Gasse 1', '1010 Wien', 'Austria'],
    tax_id: 'ATU12345678',
  });
  const { hash, number } = await payer();
  const page = await open(hash);
  await page.getByText('Payments', { exact: true }).click();
  await page.getByRole('button', { name: /^Receipt of/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `Receipt ${number}` }).waitFor();
  expect(await page.title()).toBe(`Receipt ${number} – Night Library`);
  for (const text of ['Night Owl GmbH', '1010 Wien', 'Tax ID ATU12345678', 'Pro', '5 tokens'])
    await shows(page, text);
  const link = page.getByRole('link', { name: 'On Solana’s explorer' });
  expect(await link.getAttribute('href')).toMatch(
    /^https:\/\/explorer\.solana\.com\/tx\/\w+\?cluster=devnet$/,
  );
  await expectEveryLook(page, 'receipt');
  await press(page, 'Back');
  await page.getByRole('article', { name: 'Pro' }).waitFor();
});

it('is one black page on paper, without buttons and links, also from a dark screen', async () => {
  const { hash, payment, number } = await payer();
  const page = await open(`${hash}/${payment}`, { colorScheme: 'dark' });
  await page.getByRole('heading', { name: `Receipt ${number}` }).waitFor();
  for (const format of ['A4', 'Letter']) expect(await pagesOnPaper(page, format), format).toBe(1);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await takePicture(page, 'receipt-on-paper');
  for (const role of ['button', 'link'] as const) expect(await page.getByRole(role).count(), role).toBe(0);
  const colours = await page
    .getByRole('heading', { name: number })
    .evaluate((element) => [
      getComputedStyle(element).color,
      getComputedStyle(document.body).backgroundColor,
    ]);
  expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
});

it('has no link where no explorer shows the chain, and no place for hostile names', async () => {
  const name = '<img src=x onerror="document.title=1">';
  await shop().updateSeller({ legal_name: name, address: ['W'.repeat(128)], tax_id: null });
  const { hash, payment } = await payer('"><script>document.title=1</script>'.repeat(5));
  const page = await open(`${hash}/${payment}`);
  await shows(page, name);
  await expectEveryLook(page, 'receipt-hostile', [320, 1280]);
  expect(await pagesOnPaper(page, 'A4')).toBe(1);
  expect(await page.title()).toMatch(/^Receipt /);
  await page.locator('subrail-portal').evaluate((portal) => portal.setAttribute('chain', 'solana:localnet'));
  await shows(page, name);
  expect(await page.getByRole('link', { name: 'On Solana’s explorer' }).count()).toBe(0);
});

// receipts#readers-of-a-receipt
it('is not shown to another customer, who sees his own list', async () => {
  const [{ payment }, { hash }] = [await payer(), await payer()];
  const page = await open(`${hash}/${payment}`);
  await page.getByRole('article', { name: 'Pro' }).waitFor();
  expect(await page.getByRole('heading', { name: /^Receipt/ }).count()).toBe(0);
});

it('is in German where the browser is', async () => {
  const { hash, payment, number } = await payer();
  const page = await open(`${hash}/${payment}`, { locale: 'de-AT' });
  await page.getByRole('heading', { name: `Beleg ${number}` }).waitFor();
  await shows(page, 'Drucken oder als PDF sichern');
});
