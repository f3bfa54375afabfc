// Heavy: Chromium makes plans and their links.

import { PRICE } from '@subrail/test-world';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectEveryLook } from '../every-look.js';
import { heading, press, shows } from '../scenarios/scene.js';
import { openDesk, rowsOf } from './desk.js';

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
  await page.getByRole('link', { name: 'Pro', exact: true }).click();
  await heading(page, 'Pro');
  await shows(page, 'No link leads to this plan yet.');
  await press(page, 'Make a link');
  await agree(page, 'Make a link');
  await shows(page, 'The link is made. Whoever has it can subscribe.');
  await page.getByRole('img', { name: 'QR code of the link to Pro' }).waitFor();
  await expectEveryLook(page, 'dashboard-plan');
  const { links } = await desk.shop().links.list();
  await shows(page, links[0]?.url ?? '');
  expect(links).toMatchObject([{ replaces: null, ask_email: false, success_url: null }]);
  await press(page, `End the link: ${links[0]?.id ?? ''}`);
  await agree(page, 'End the link');
  await shows(page, 'The link is ended.');
  expect((await desk.shop().links.list()).links[0]?.ended_at).not.toBeNull();
  await page.getByRole('link', { name: 'Its customers' }).click();
  await page.getByRole('link', { name: 'ada' }).waitFor();
});

// dashboard#plans
it('makes a link for the customers of another plan, whose QR code is not that of the plan', async () => {
  const { world } = desk;
  await world.publishPlan(world.projectId, 'basic', { name: 'Basic' });
  const page = await desk.enter('plans/basic');
  const dialog = page.getByRole('dialog');
  await press(page, 'Make a link');
  await dialog.getByLabel('For', { exact: true }).selectOption('Customers of Pro, who change their plan');
  await dialog.getByLabel('Address of the page after the payment').fill('https://shop.example/thanks');
  await dialog.getByLabel('Asks for an email').selectOption('Yes');
  await agree(page, 'Make a link');
  await shows(page, 'the customer and the email stay');
  await press(page, 'Make a link');
  await expectEveryLook(page, 'dashboard-link-make');
  await dialog.getByLabel('For', { exact: true }).selectOption('Customers of Pro, who change their plan');
  await dialog.getByLabel('Address of the page after the payment').fill('https://shop.example/thanks');
  await agree(page, 'Make a link');
  await shows(page, 'A wallet that pays for the other plan changes to this one with it.');
  const { links } = await desk.shop().links.list();
  expect(links.filter(({ plan }) => plan === 'basic')).toMatchObject([
    { replaces: 'pro', ask_email: false, success_url: 'https://shop.example/thanks' },
  ]);
  const [[, forWhom] = []] = await rowsOf(page, /^Links/);
  expect(forWhom).toBe('Customers of Pro, who change their plan');
  expect(await page.getByRole('img', { name: /^QR code/ }).count()).toBe(0);
});

// dashboard#plans
it('creates a draft in whole tokens, edits it, and discards it', async () => {
  const { world } = desk;
  const page = await desk.enter('plans');
  const dialog = page.getByRole('dialog');
  await press(page, 'Create a plan');
  await dialog.getByLabel('Name').fill('Pro');
  await dialog.getByLabel('Owner').fill(world.owner.address);
  await dialog.getByLabel('Price in whole tokens').fill('7.12345678');
  await shows(page, 'with at most 6 digits behind the point');
  await dialog.getByLabel('Price in whole tokens').fill('7.5');
  await shows(page, '7500000 in the smallest unit of the token');
  await dialog.getByLabel('Charged every').fill('2');
  await dialog.getByLabel('Unit').selectOption('weeks');
  await shows(page, 'It is charged every 14 days.');
  await expectEveryLook(page, 'dashboard-plan-create');
  // What was filled in stays after a refusal.
  await agree(page, 'Create a plan');
  await dialog.getByRole('alert').filter({ hasText: 'name' }).waitFor();
  await dialog.getByLabel('Name').fill('Fortnight');
  await dialog.getByText('More', { exact: true }).click();
  await dialog.getByLabel('Description').fill('For two weeks');
  await agree(page, 'Create a plan');
  await heading(page, 'Fortnight');
  expect(await desk.shop().plans.detail('fortnight')).toMatchObject({
    amount: '7500000',
    period_hours: 336,
    description: 'For two weeks',
    status: 'draft',
  });
  await press(page, 'Edit');
  await dialog.getByLabel('Name').fill('Two weeks');
  await dialog.getByLabel('Description').fill('');
  await agree(page, 'Save');
  await heading(page, 'Two weeks');
  expect(await desk.shop().plans.detail('fortnight')).toMatchObject({
    name: 'Two weeks',
    description: null,
  });
  await press(page, 'Discard the draft');
  await agree(page, 'Discard the draft');
  await shows(page, 'The draft is discarded.');
});

// dashboard#calls-of-the-page
it('shows plans without buttons to a key that reads', async () => {
  const page = await desk.enter('plans/pro', { access: 'read' });
  await heading(page, 'Pro');
  await shows(page, 'Links, newest first');
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
});
