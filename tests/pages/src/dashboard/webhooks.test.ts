// Heavy: Chromium adds an endpoint, and follows what is sent to it.

import type { HttpPost } from '@subrail/core/ports';
import { EventType } from '@subrail/core/schemas';
import { HOUR, PRICE } from '@subrail/test-world';
import { expect, it } from 'vitest';
import { expectEveryLook } from '../every-look.js';
import { holdCalls } from '../hold-calls.js';
import { heading, press, shows } from '../scenarios/scene.js';
import { openDesk, rowsOf, settled } from './desk.js';

const HOSTILE = '<img src=x onerror="window.hit=1">';
const posted: HttpPost[] = [];
let status = 500;

const desk = openDesk({
  sender: {
    post: async (request) => {
      posted.push(request);
      return { kind: 'answered', status, retryAfter: null, excerpt: HOSTILE };
    },
  },
});

// dashboard#webhooks
it('adds an endpoint, tests it, shows every answer, and sends again', async () => {
  const { world } = desk;
  const page = await desk.enter('webhooks');
  await shows(page, 'Nothing is told to your server yet.');
  await expectEveryLook(page, 'dashboard-webhooks-none');
  await press(page, 'Add an endpoint');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill('ftp://shop.example');
  await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
  await shows(page, /https/);
  await press(page, 'Add an endpoint');
  await dialog.getByLabel('Address').fill('https://shop.example/webhooks');
  await dialog.getByRole('button', { name: 'Add an endpoint' }).click();
  await shows(page, /^whsec_/);
  await press(page, 'Close');
  await shows(page, 'The endpoint is added.');

  const key = await world.wallet(10n * PRICE);
  const id = await world.subscribe(key, 'ada');
  await world.deliver();
  world.advance(HOUR);
  await world.deliver();
  await page.reload();
  const [[, to] = []] = await rowsOf(page, 'Deliveries, newest first');
  expect(to).toBe('https://shop.example/webhooks');
  // One that waits for its next attempt shows that the last one failed.
  await page.getByRole('row', { name: 'Waiting' }).locator('.failed').first().waitFor();
  const events = (await rowsOf(page, 'Endpoints')).map(([, , types]) => types);
  expect(events).toEqual(['all']);
  await page.getByRole('link', { name: 'https://shop.example/webhooks' }).click();
  await heading(page, 'https://shop.example/webhooks');
  await shows(page, 'Failing');
  await page.locator('.facts').getByText('all', { exact: true }).waitFor();
  await press(page, 'Send a test');
  await shows(page, 'The endpoint did not accept the test.');
  const [[, , , answer, said] = []] = await rowsOf(page, 'Attempts, the first one first');
  expect([answer, said]).toEqual(['500', HOSTILE]);
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
  await expectEveryLook(page, 'dashboard-endpoint');

  await page.getByRole('link', { name: 'Waiting' }).click();
  await page.locator('.filters a[aria-current="true"]:text-is("Waiting")').waitFor();
  await settled(page);
  await page.getByRole('link', { name: 'subscription.access_granted' }).click();
  await heading(page, 'Delivery of subscription.access_granted');
  expect(await page.getByRole('region').or(page.locator('pre')).last().innerText()).toContain(id);
  status = 200;
  await press(page, 'Send it again');
  await shows(page, 'It is sent again now');
  await world.deliver();
  await page.reload();
  await shows(page, 'Delivered');
  await expectEveryLook(page, 'dashboard-delivery');
  await page.getByRole('link', { name: 'To the subscription' }).click();
  await heading(page, 'ada');
  expect((await rowsOf(page, 'Deliveries')).map(([type]) => type)).toContain('subscription.created');
});

// dashboard#webhooks
it('turns an endpoint off and on, recovers what it missed, rotates its secret and deletes it', async () => {
  const { world } = desk;
  const [endpoint] = await desk.shop().endpoints.list();
  const page = await desk.enter(`webhooks/${endpoint?.id ?? ''}`);
  const dialog = page.getByRole('dialog');
  await press(page, 'Turn off');
  const release = await holdCalls(page, '**/disable');
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await shows(page, 'Working…');
  release();
  await shows(page, 'The endpoint is off.');
  const before = posted.length;
  world.advance(HOUR);
  await world.subscribe(await world.wallet(10n * PRICE), 'eve');
  await world.deliver();
  expect(posted).toHaveLength(before);
  await press(page, 'Turn on');
  await shows(page, 'The endpoint is on.');
  await press(page, 'Recover missed events');
  await dialog.getByLabel('Since, in your time').fill('2026-01-01T00:00');
  await dialog.getByRole('button', { name: 'Recover missed events' }).click();
  await shows(page, /\d+ missed events are being sent/);
  await world.deliver();
  expect(posted.length).toBeGreaterThan(before);
  await press(page, 'Choose its events');
  const every = dialog.getByLabel('Every event');
  expect(await every.isChecked()).toBe(true);
  await every.uncheck();
  await dialog.getByLabel('subscription.payment_failed').focus();
  await expectEveryLook(page, 'dashboard-event-types');
  for (const type of EventType.options) await dialog.getByLabel(type).setChecked(false);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await shows(page, 'must name at least one event');
  await press(page, 'Choose its events');
  await every.uncheck();
  for (const type of EventType.options)
    await dialog.getByLabel(type).setChecked(type === 'subscription.renewed');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await shows(page, 'The events are chosen.');
  expect((await desk.shop().endpoints.list())[0]?.types).toEqual(['subscription.renewed']);
  await press(page, 'Rotate the secret');
  await dialog.getByLabel('The old secret signs too for').selectOption('1');
  await dialog.getByRole('button', { name: 'Rotate the secret' }).click();
  await shows(page, /^whsec_/);
  await press(page, 'Close');
  await shows(page, 'The secret is rotated.');
  await press(page, 'Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await shows(page, 'Nothing is told to your server yet.');
});
