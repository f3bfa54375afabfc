// Heavy: the home of a project with two years of history, in a browser.

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectEveryLook } from '../every-look.js';
import { takeDocsPicture } from '../screenshots.js';
import { openDesk, settled } from './desk.js';
import { HOSTILE_NAME, playTwoYears } from './two-years.js';

const desk = openDesk();
beforeAll(() => playTwoYears(desk.world));

async function tileOf(page: Page, name: string): Promise<string> {
  return page
    .locator('.tile', { has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .first()
    .innerText();
}

/** Shows another span of the page. */
async function choose(page: Page, span: string): Promise<void> {
  await page.getByRole('link', { name: span }).click();
  await page.getByRole('link', { name: span }).and(page.locator('[aria-current=true]')).waitFor();
  await settled(page);
}

describe('the home of the dashboard', () => {
  // dashboard#home
  it('shows the figures that a program gets, and the table of each chart', async () => {
    const { mint } = desk.world.token;
    desk.pages.vouchFor([{ mint, symbol: 'dUSD', name: 'Demo dollar', logoUrl: null }]);
    desk.pages.newMinute();
    const page = await desk.enter('home', { access: 'read' });
    await choose(page, '12 months');
    const { data, total } = await desk.shop().reports.figures({ days: 365, by: 'month' });
    expect(await tileOf(page, 'Active subscribers')).toBe(String(total.active));
    expect(await tileOf(page, 'New')).toBe(String(total.new));
    expect(await tileOf(page, 'Lost')).toBe(String(total.lost));
    expect(await tileOf(page, 'Collected')).toBe(`${Number(total.tokens[0]?.collected.amount) / 1e6} dUSD`);
    const chart = page.locator('.chart', { hasText: 'Active subscribers' });
    await chart.getByText('Table').click();
    expect(await chart.locator('tbody tr').allInnerTexts()).toEqual(
      [...data]
        .reverse()
        .map(({ date, active, recurring }) => [date.slice(0, 7), active, recurring].join('\t')),
    );
    expect(await page.getByText('Who stayed').locator('..').locator('tbody tr').count()).toBeGreaterThan(3);
    await expectEveryLook(page, 'dashboard-home');
    await chart.getByText('Table').click();
    await page.evaluate(() => scrollTo(0, 0));
    await takeDocsPicture(page, 'dashboard', { width: 1100, height: 760 });
  });

  // dashboard#home
  it('leads to who is late, and shows what a customer named himself as text', async () => {
    const page = await desk.enter('home');
    await page.getByRole('link', { name: 'Customers who are late now' }).click();
    await page.getByRole('rowheader', { name: 'customer-5' }).waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(1);
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.getByRole('rowheader', { name: HOSTILE_NAME }).first().waitFor();
  });

  // dashboard#home
  it('says what to do about each alert, and for how many charges the SOL lasts', async () => {
    const { alerts, figures } = desk.world.billing.service;
    figures.setCharger({ balance: 2_500_000_000n, charges: 500_000n } as never, desk.world.now());
    alerts.seen({ kind: 'charger_low' });
    const page = await desk.enter('home', { access: 'read' });
    await page.getByText('Send SOL to the charger.').waitFor();
    await page.getByText('enough for 500,000 charges').waitFor();
    expect(await tileOf(page, "The charger's SOL")).toBe('2.50');
    alerts.over('charger_low');
  });

  // dashboard#home
  it('says so when nothing was charged', async () => {
    const { id } = await desk.world.billing.projects.create({ name: 'New shop' });
    const page = await desk.enter('home');
    await settled(page);
    await page.getByLabel('Project').selectOption(id);
    await page.getByText('Nothing was charged in this span.').waitFor();
    await expectEveryLook(page, 'dashboard-empty');
  });
});
