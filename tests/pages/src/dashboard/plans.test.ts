// Heavy: Chromium makes a plan and its links, and signs a change as its owner's wallet does.

import { sendTransaction, signTransaction } from '@subrail/localnet';
import { DAY, PRICE } from '@subrail/test-world';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectEveryLook } from '../every-look.js';
import { heading, press, shows } from '../scenarios/scene.js';
import { openDesk, rowsOf, settled } from './desk.js';

const desk = openDesk();

const agree = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name }).click();

// dashboard#plans
it('lists what each plan takes in, and makes a link with its QR code', async () => {
  const { world } = desk;
  await world.subscribe(await world.wallet(10n * PRICE), 'ada');
  const page = await desk.enter('plans');
  const [[name, status, price, active, late, took] = []] = await rowsOf(page, /^Plans/);
  expect([name, status, price, active, late, took]).toEqual([
    'Pro pro',
    'On sale',
    '5 tokens every 30 days',
    '1',
    '0',
    '5 tokens',
  ]);
  await expectEveryLook(page, 'dashboard-plans');
  await page.getByRole('link', { name: 'Pro' }).click();
  await heading(page, 'Pro');
  await shows(page, 'No link leads to this plan yet.');
  await press(page, 'Make a link');
  await shows(page, 'The link is made.');
  await page.getByRole('img', { name: 'QR code of the link to Pro' }).waitFor();
  await expectEveryLook(page, 'dashboard-plan');
  const { links } = await desk.shop().links.list();
  await shows(page, links[0]?.url ?? '');
  await press(page, `End the link: ${links[0]?.id ?? ''}`);
  await agree(page, 'End the link');
  await shows(page, 'The link is ended.');
  expect((await desk.shop().links.list()).links[0]?.ended_at).not.toBeNull();
  await page.getByRole('link', { name: 'Its customers' }).click();
  await page.getByRole('link', { name: 'ada' }).waitFor();
});

// dashboard#plans
it('creates a draft, publishes it by what its owner signs, and discards another', async () => {
  const { world } = desk;
  const page = await desk.enter('plans');
  const dialog = page.getByRole('dialog');
  const fill = async (name: string) => {
    await press(page, 'Create a plan');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Owner').fill(world.owner.address);
    await dialog.getByLabel('Price in the smallest unit').fill('7500000');
    await dialog.getByLabel('Days between charges').fill('7');
    await agree(page, 'Create a plan');
    await heading(page, name);
  };
  await fill('Weekly');
  await press(page, 'Confirm what landed');
  await shows(page, /not on chain|not exist|does not show/i);
  await press(page, 'Publish');
  await shows(page, 'signs and sends it within a minute');
  const transaction = (await dialog.locator('pre').textContent()) ?? '';
  await press(page, 'Close');
  await land(transaction);
  await press(page, 'Confirm what landed');
  await shows(page, 'The plan is as the chain shows it.');
  await shows(page, 'On sale');

  await press(page, 'Take nobody new');
  const end = new Date(world.now().getTime() + 60 * DAY).toISOString().slice(0, 16);
  await dialog.getByLabel('Ends, in your time').fill(end);
  await agree(page, 'Build the transaction');
  const sunset = (await dialog.locator('pre').textContent()) ?? '';
  await press(page, 'Close');
  await settled(page);
  await land(sunset);
  await press(page, 'Confirm what landed');
  await shows(page, 'Takes nobody new');
  expect((await desk.shop().plans.detail('weekly')).status).toBe('sunset');

  await page.getByRole('link', { name: 'Back to Plans' }).click();
  await fill('Mistake');
  await press(page, 'Discard the draft');
  await agree(page, 'Discard the draft');
  await shows(page, 'The draft is discarded.');

  async function land(built: string): Promise<void> {
    await sendTransaction(world.rpc, await signTransaction(world.owner, built));
    world.advance(2_000);
  }
});

// dashboard#calls-of-the-page
it('shows plans without buttons to a key that reads', async () => {
  const page = await desk.enter('plans/pro', { access: 'read' });
  await heading(page, 'Pro');
  await shows(page, 'Links, newest first');
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
});
