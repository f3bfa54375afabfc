// Heavy: Chromium changes a project, examines its records and counts its figures anew.

import { DAY, PRICE } from '@subrail/test-world';
import type { ProjectId, SubscriptionId } from '@subrail/core/ports';
import { aCommit } from '@subrail/core/testing';
import { beforeAll, expect, it } from 'vitest';
import { expectEveryLook } from '../every-look.js';
import { takePicture } from '../screenshots.js';
import { press, shows } from '../scenarios/scene.js';
import { openDesk, rowsOf, settled } from './desk.js';

const HOSTILE = 'Night <b>Library</b>';
const SELLER = 'Night <b>Owl</b> GmbH';
const desk = openDesk();
let id = '';

beforeAll(async () => {
  const { world } = desk;
  id = await world.subscribe(await world.wallet(10n * PRICE), 'ada');
  world.advance(DAY);
  await world.work();
});

// dashboard#project
it('changes the name, the limits, the addresses and the look of a project', async () => {
  const page = await desk.enter('project', { isOwn: true });
  const dialog = page.getByRole('dialog');
  await press(page, 'Change the project');
  await dialog.getByLabel('Name').fill(HOSTILE);
  await dialog.getByLabel('Tier').selectOption('dev');
  await dialog.getByLabel('Most subscribers').fill('50');
  await dialog.getByLabel('Cancel page').fill('http://shop.example');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await shows(page, /cancel_url/);
  await press(page, 'Change the project');
  await dialog.getByLabel('Name').fill(HOSTILE);
  await dialog.getByLabel('Tier').selectOption('dev');
  await dialog.getByLabel('Most subscribers').fill('50');
  await dialog.getByLabel('Cancel page').fill('https://shop.example/cancel');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await shows(page, 'The project is changed.');
  expect(await desk.shop().detail()).toMatchObject({
    name: HOSTILE,
    tier: 'dev',
    subscriber_limit: 50,
    published_plans_limit: null,
    cancel_url: 'https://shop.example/cancel',
    logo_url: null,
  });
  await shows(page, HOSTILE);
  const logo = `data:image/png;base64,${Buffer.from('no picture').toString('base64')}`;
  await desk.shop().updateLook({ logo });
  await page.reload();
  await press(page, 'Change the look');
  await dialog.getByLabel('Colour of the pages').fill('#0a7d5a');
  await dialog.getByLabel('Picture on the pages').selectOption('remove');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await shows(page, 'The project is changed.');
  expect(await desk.shop().look()).toEqual({ accent: '#0a7d5a', logo: null });
  await expectEveryLook(page, 'dashboard-project');
  await press(page, 'Delete the project');
  await dialog.getByRole('button', { name: 'Delete the project' }).click();
  await shows(page, /plan/);
  expect(await desk.shop().detail()).toMatchObject({ name: HOSTILE });
});

// dashboard#project, receipts#seller-of-a-receipt, dashboard#payments
it('changes the seller, whom the receipt of each payment names', async () => {
  const page = await desk.enter('project', { isOwn: true });
  const dialog = page.getByRole('dialog');
  await press(page, 'Change the seller');
  await dialog.getByLabel('Legal name').fill(SELLER);
  await dialog.getByLabel('Address').fill('Gasse 1\n\n1010 Wien, Austria');
  await dialog.getByLabel('Before the numbers').fill('NIGHT');
  await expectEveryLook(page, 'dashboard-seller');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await shows(page, 'The project is changed.');
  const seller = { legal_name: SELLER, tax_id: null, receipt_prefix: 'NIGHT' };
  expect(await desk.shop().seller()).toEqual({ ...seller, address: ['Gasse 1', '1010 Wien, Austria'] });

  await page.goto(`${page.url().replace(/#.*/, '')}${desk.hash('payments')}`);
  await page.getByRole('link', { name: 'Receipt 000001' }).click();
  await page.getByRole('heading', { name: 'Receipt 000001' }).waitFor();
  for (const text of [SELLER, '1010 Wien, Austria', 'Pro', '5 tokens']) await shows(page, text);
  await expectEveryLook(page, 'dashboard-receipt');
  await page.emulateMedia({ media: 'print' });
  await takePicture(page, 'dashboard-receipt-on-paper');
  for (const role of ['button', 'link', 'navigation'] as const)
    expect(await page.getByRole(role).count(), role).toBe(0);
});

// dashboard#project
it('examines the records for a key that reads, and says what to do about a finding', async () => {
  const { world } = desk;
  const page = await desk.enter('project', { access: 'read', isOwn: true });
  await settled(page);
  expect(await page.getByRole('button', { name: 'Change the project' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Count anew' }).count()).toBe(0);
  await press(page, 'Examine');
  await shows(page, '1 subscription is examined, which are all.');
  await shows(page, 'Nothing was found.');
  const found = await world.store.findSubscription(world.projectId as ProjectId, id as SubscriptionId);
  if (found === null) throw new Error('The subscription is gone.');
  await world.store.commit([aCommit({ ...found, version: found.version + 1, paidCount: 9 })]);
  await press(page, 'Examine again');
  const [[what = '', remedy = '', rows = ''] = []] = await rowsOf(page, 'Findings');
  const { findings } = await desk.shop().doctor.examine();
  expect([what, remedy]).toEqual([findings[0]?.what, findings[0]?.remedy]);
  expect(rows).toContain(id.slice(0, 6));
});

// dashboard#project, figures#rebuild
it('counts the figures anew', async () => {
  const { world } = desk;
  const today = new Date(Math.floor(world.now().getTime() / DAY) * DAY);
  await world.store.replaceFigures(world.projectId as ProjectId, new Date(today.getTime() - DAY), []);
  const page = await desk.enter('project', { isOwn: true });
  await press(page, 'Count anew');
  await page.getByRole('dialog').getByRole('button', { name: 'Count anew' }).click();
  await shows(page, /Days that differed: 1\.$/);
  const { total } = await desk.shop().reports.figures({ days: 3 });
  expect(total.new).toBe(1);
});
