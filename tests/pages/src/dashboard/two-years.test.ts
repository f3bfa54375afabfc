// Heavy: the home and the payments of a project with two years of history, in a browser.

import { ATTEMPT_REASONS } from '@subrail/core/schemas';
import { address } from '@solana/kit';
import { sendTokens, tokenAccountOf } from '@subrail/localnet';
import { DAY, HOUR, PRICE } from '@subrail/test-world';
import { readFile } from 'node:fs/promises';
import type { Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectEveryLook } from '../every-look.js';
import { heading, press, shows } from '../scenarios/scene.js';
import { takeDocsPicture } from '../screenshots.js';
import { openDesk, rowsOf, settled } from './desk.js';
import { HOSTILE_NAME, playTwoYears } from './two-years.js';

const desk = openDesk();

const TO_ACT = 'To act, log in with a key whose access is write.';
beforeAll(() => playTwoYears(desk.world));

async function tileOf(page: Page, name: string): Promise<string> {
  return page
    .locator('.tile', { has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .first()
    .innerText();
}

/** The table of a chart, with its heads. */
async function tableOf(page: Page, title: string): Promise<readonly (readonly string[])[]> {
  const chart = page.locator('.chart', { hasText: title });
  await chart.getByText('Table').click();
  const rows = await chart.locator('tr').allInnerTexts();
  await chart.getByText('Table').click();
  return rows.map((row) => row.split('\t').map((cell) => cell.trim()));
}

const nameOfDay = (date: string) =>
  new Date(date).toLocaleDateString('en', { month: 'short', day: 'numeric', timeZone: 'UTC' });

const dayBefore = (date = '') => new Date(Date.parse(date) - DAY).toISOString().slice(0, 10);

/** Shows another span of the page. */
async function choose(page: Page, span: string): Promise<void> {
  await page.getByRole('link', { name: span }).click();
  await page.getByRole('link', { name: span }).and(page.locator('[aria-current=true]')).waitFor();
  await settled(page);
}

/** Saves the list that a page shows as a file: its name and its text. */
async function saved(page: Page, name: string): Promise<readonly string[]> {
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name, exact: true }).click();
  const file = await download;
  const text = await readFile(await file.path(), 'utf8');
  // The page reads itself again.
  await shows(page, 'The browser saves the file now.');
  await settled(page);
  return [file.suggestedFilename(), text];
}

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part;
  return text;
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
    expect(await tileOf(page, 'Subscribers')).toBe(String(total.active));
    const won = Number(total.tokens[0]?.recovered.amount) / 1e6;
    const rate = Math.round((total.recovery_rate ?? 0) * 1_000) / 10;
    expect(await tileOf(page, 'Recovered of what failed')).toBe(`${rate} %, ${won} dUSD`);
    expect(await tileOf(page, 'New')).toBe(String(total.new));
    expect(await tileOf(page, 'Lost')).toBe(String(total.lost));
    expect(await tileOf(page, 'Collected')).toBe(`${Number(total.tokens[0]?.collected.amount) / 1e6} dUSD`);
    const chart = page.locator('.chart', { hasText: 'Subscribers' });
    await chart.getByText('Table').click();
    expect(await chart.locator('tbody tr').allInnerTexts()).toEqual(
      [...data]
        .reverse()
        .map(({ date, active, recurring }, at) =>
          [`${date.slice(0, 7)}${at === 0 ? ', so far' : ''}`, active, recurring].join('\t'),
        ),
    );
    const went = await tableOf(page, 'Who came and went');
    const first = await desk.shop().reports.figures({ days: 365, to: dayBefore(data[0]?.date), by: 'month' });
    const ran = [first.total.active, ...data.map(({ active }) => active)];
    expect(went).toEqual([
      ['Date', 'New', 'Returned', 'Lost', 'Churn'],
      ...data
        .map(({ date, new: came, returned, lost }, at) => [
          at === 0
            ? `${date.slice(0, 7)}, from ${nameOfDay(date)}`
            : `${date.slice(0, 7)}${at === data.length - 1 ? ', so far' : ''}`,
          String(came),
          String(returned),
          String(lost),
          ran[at] === 0 ? '–' : `${Math.round((lost / (ran[at] ?? 1)) * 1_000) / 10} %`,
        ])
        .reverse(),
    ]);
    expect(went.filter(([, , , lost]) => Number(lost) > 0).length).toBeGreaterThan(0);
    await shows(page, `${first.total.active} in the span before`);
    // The ends that are no whole months are lighter, and say why.
    expect(await page.locator('.chart', { hasText: 'Who came and went' }).locator('rect.part').count()).toBe(
      6,
    );
    expect(await chart.locator('polyline.part').count()).toBe(2);
    expect(await page.getByText('Lighter: the part is not over, or begins later').count()).toBe(4);
    await shows(page, '+0 is the month of the payment');
    // The pointer is told every value of a date, and a phone shows text that can be read.
    expect(await chart.locator('.hit title').last().textContent()).toBe(
      [
        `${data.at(-1)?.date.slice(0, 7)}, so far`,
        `Running: ${total.active}`,
        `Recurring: ${total.recurring}`,
      ].join('\n'),
    );
    await page.setViewportSize({ width: 390, height: 800 });
    await expect
      .poll(async () => (await chart.locator('svg text').first().boundingBox())?.height)
      .toBeGreaterThan(12);
    expect(await page.getByText('Who stayed').locator('..').locator('tbody tr').count()).toBeGreaterThan(3);
    await expectEveryLook(page, 'dashboard-home');
    await chart.getByText('Table').click();
    await page.evaluate(() => scrollTo(0, 0));
    await takeDocsPicture(page, 'dashboard', { width: 1100, height: 760 });
  });

  // dashboard#home
  it('sums what is due within 7 and 30 days, the soonest day first', async () => {
    const page = await desk.enter('home', { access: 'read' });
    await settled(page);
    const schedule = await desk.shop().reports.schedule({ days: 30 });
    const until = new Date(Date.parse(schedule.from) + 6 * DAY).toISOString().slice(0, 10);
    for (const [days, within] of [
      [7, schedule.data.filter(({ date }) => date <= until)],
      [30, schedule.data],
    ] as const) {
      const [charges, retries] = (['charges', 'retries'] as const).map(
        (kind) => within.reduce((sum, day) => sum + Number(day[kind].amount), 0) / 1e6,
      );
      await shows(page, `In the next ${days} days, if everything pays: charges of ${charges} `);
      await shows(page, new RegExp(`and ${retries} \\S+ of retries`));
    }
    const [, ...rows] = await tableOf(page, 'Due in the next 30 days');
    const dates = schedule.data.map(({ date }) => nameOfDay(date));
    expect(dates.length).toBeGreaterThan(1);
    expect(rows.map(([date]) => date)).toEqual(dates);
  });

  // dashboard#home
  it('reads the span before at once, of the days of the service', async () => {
    const day = (days: number) =>
      new Date(desk.world.now().getTime() - days * DAY).toISOString().slice(0, 10);
    const earlier = await desk.shop().reports.figures({ days: 90, to: day(90), by: 'month' });
    const before = `${earlier.total.new} in the span before`;
    // The clock of the browser is years behind that of the service.
    const page = await desk.enter('home', { isOwn: true });
    await page.locator('.tile').first().waitFor();
    const waiting: Route[] = [];
    await page.route('**/figures?*', async (route) => {
      if (waiting.push(route) === 2) await Promise.all(waiting.map((one) => one.continue()));
    });
    await choose(page, '90 days');
    await page.unroute('**/figures?*');
    expect(waiting).toHaveLength(2);
    const file = await desk.shop().reports.export({ format: 'csv', days: 90, by: 'week' });
    expect(await saved(page, 'CSV')).toEqual([
      `figures-night-library-${day(89)}-${day(0)}.csv`,
      await textOf(file),
    ]);
    const tile = page.locator('.tile', { has: page.getByText('New', { exact: true }) });
    expect(await tile.locator('dd').last().innerText()).toBe(before);
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
    expect(await tileOf(page, "The charger's SOL")).toBe('2.50 SOL');
    const ways = page.getByRole('region', { name: 'Alerts' }).getByRole('link');
    expect(await ways.allInnerTexts()).toEqual(['Go to health']);
    // No worker runs beside the pages, so its passes are late.
    const { worker } = (await (await fetch(`${desk.pages.url}/health`)).json()) as {
      readonly worker: Readonly<Record<string, { readonly state: string }>>;
    };
    const late = Object.values(worker).filter(({ state }) => ['late', 'failing'].includes(state));
    expect(late.length).toBeGreaterThan(1);
    alerts.over('charger_low');
    alerts.seen({ kind: 'endpoint_turned_off', subject: 'whe_1' });
    await page.reload();
    const passes = page.getByText('Passes of the worker that are late or fail');
    expect((await passes.innerText()).split(', ')).toHaveLength(late.length);
    expect(await passes.innerText()).toContain('Charges');
    await passes.getByRole('link', { name: 'Go to health' }).click();
    await heading(page, 'Health');
    await page.goBack();
    await ways.click();
    await heading(page, 'Webhooks');
    alerts.over('endpoint_turned_off', 'whe_1');
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

describe('the payments of the dashboard', () => {
  const TABLE = 'Payments, newest first';
  const customers = async (page: Page) => (await rowsOf(page, TABLE)).map(([, name = '']) => name);

  /** Looks for what the fields of the form say. */
  async function search(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, value] of Object.entries(fields)) {
      const field = page.locator(`.search [name="${name}"]`);
      if (await field.evaluate((one) => one instanceof HTMLSelectElement)) await field.selectOption(value);
      else await field.fill(value);
    }
    await press(page, 'Search');
    await page.waitForURL((url) => {
      const query = new URLSearchParams(url.hash.split('?')[1]);
      return Object.entries(fields).every(([name, value]) => (query.get(name) ?? '') === value);
    });
    await settled(page);
  }

  // dashboard#payments
  it('lists them newest first, and turns pages and back', async () => {
    const page = await desk.enter('payments', { access: 'read' });
    const { data } = await desk.shop().payments.list({ limit: 25 });
    const rows = await rowsOf(page, TABLE);
    expect(
      rows.map(([, name, , amount, outcome]) => [name?.split(' ')[0], amount, outcome?.slice(0, 4)]),
    ).toEqual(
      data.map(({ external_id: name, amount_display: amount, outcome }) => [
        name?.split(' ')[0],
        `${amount} tokens`,
        outcome === 'paid' ? 'Paid' : 'Not ',
      ]),
    );
    await expectEveryLook(page, 'dashboard-payments');
    const first = await page.getByRole('table', { name: TABLE }).innerText();
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByRole('link', { name: 'First page' }).waitFor();
    await settled(page);
    expect(await page.getByRole('table', { name: TABLE }).innerText()).not.toBe(first);
    await page.goBack();
    await page.getByRole('link', { name: 'First page' }).waitFor({ state: 'detached' });
    await settled(page);
    expect(await page.getByRole('table', { name: TABLE }).innerText()).toBe(first);
    await page
      .getByRole('link', { name: /^customer-/ })
      .first()
      .click();
    await heading(page, /^customer-/);
  });

  // dashboard#payments
  it('finds them by a text, a plan, an outcome, a reason and a span, with the sums of the span', async () => {
    const { mint } = desk.world.token;
    desk.pages.vouchFor([{ mint, symbol: 'dUSD', name: 'Demo dollar', logoUrl: null }]);
    desk.pages.newMinute();
    const page = await desk.enter('payments', { access: 'read', isOwn: true });
    await settled(page);
    const reasons = page.locator('.search [name="reason"] option:not([value=""])');
    expect(await reasons.evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))).toEqual(
      ATTEMPT_REASONS,
    );
    expect((await reasons.allInnerTexts()).filter((text) => !/^[A-Z].*\.$/.test(text))).toEqual([]);

    const all = (await desk.shop().payments.list({ limit: 100 })).data;
    const [one] = all.filter(({ outcome }) => outcome === 'rejected');
    if (one === undefined) throw new Error('Nothing was rejected.');
    await search(page, { outcome: 'rejected', reason: 'insufficient_balance', plan: 'pro' });
    const found = await desk
      .shop()
      .payments.list({ outcome: 'rejected', reason: 'insufficient_balance', limit: 25 });
    expect((await customers(page)).length).toBe(found.data.length);
    await search(page, { q: one.external_id ?? '' });
    const own = found.data.filter(({ external_id: name }) => name === one.external_id);
    expect((await customers(page)).map((name) => name.split(' ')[0])).toEqual(own.map(() => one.external_id));
    for (const text of [one.wallet, one.subscription, HOSTILE_NAME]) {
      await search(page, { q: text });
      expect((await customers(page)).length, text).toBeGreaterThan(0);
    }
    await shows(page, HOSTILE_NAME);
    const signature = all.find((payment) => payment.signature !== null)?.signature ?? '';
    await search(page, { q: signature });
    await shows(page, 'No payment that fits has this signature.');
    await search(page, { outcome: '', reason: '', plan: '' });
    expect(new Set((await rowsOf(page, TABLE)).map((row) => row[5]?.slice(0, 4)))).toEqual(
      new Set([signature.slice(0, 4)]),
    );

    const instant = desk.world.now().getTime();
    const [from = '', to = ''] = [400, 0].map((days) =>
      new Date(instant - days * DAY).toISOString().slice(0, 10),
    );
    await search(page, { q: '', outcome: '', reason: '', plan: '', from, to });
    const paid: bigint[] = [];
    for await (const { amount } of listed({ from, to, outcome: 'paid' })) paid.push(BigInt(amount));
    expect(await tileOf(page, 'Collected')).toBe(
      `${paid.reduce((sum, amount) => sum + amount, 0n) / 1_000_000n} dUSD`,
    );
    await shows(page, `${paid.length} payments`);
    await takeDocsPicture(page, 'dashboard-payments', { width: 1100, height: 760 });
    const spans = page.getByRole('navigation', { name: 'Span' });
    await spans.getByRole('link', { name: 'Last month' }).click();
    // The clock of the browser is years behind that of the service.
    const [ofYear, ofMonth] = [desk.world.now().getUTCFullYear(), desk.world.now().getUTCMonth()];
    const day = (date: number, month: number) =>
      new Date(Date.UTC(ofYear, month, date)).toISOString().slice(0, 10);
    await page.waitForURL(new RegExp(`payments\\?from=${day(1, ofMonth - 1)}&to=${day(0, ofMonth)}$`));
    await spans.locator('[aria-current=true]:text-is("Last month")').waitFor();
    await settled(page);
    await spans.getByRole('link', { name: 'Always' }).click();
    await page.waitForURL(/payments$/);

    async function* listed(filter: Parameters<ReturnType<typeof desk.shop>['payments']['list']>[0]) {
      for (let after: string | null = null; ;) {
        const part = await desk.shop().payments.list({
          ...filter,
          limit: 100,
          ...(after === null ? {} : { starting_after: after }),
        });
        yield* part.data;
        if ((after = part.next) === null) return;
      }
    }
  });

  // dashboard#every-page
  it('writes the amounts of a column with the same decimals', async () => {
    const page = await desk.enter('payments', { access: 'read', isOwn: true });
    await page.route('**/payments?*', async (route) => {
      const response = await route.fetch();
      const list = (await response.json()) as { readonly data: readonly object[] };
      const data = list.data.slice(0, 2).map((row, at) => ({
        ...row,
        amount: ['5000000', '1250000'][at],
        fee_lamports: ['5000', '10000'][at],
      }));
      await route.fulfill({ response, json: { ...list, data } });
    });
    await page.reload();
    const rows = await rowsOf(page, TABLE);
    expect(rows.map(([, , , amount, , fee = '']) => [amount, /fee \S+ SOL/.exec(fee)?.[0]])).toEqual([
      ['5.00 tokens', 'fee 0.000005 SOL'],
      ['1.25 tokens', 'fee 0.000010 SOL'],
    ]);
  });

  // dashboard#every-page
  it('shows a refused search with its form, and neither a list nor its files', async () => {
    const page = await desk.enter('payments', { access: 'read' });
    await rowsOf(page, TABLE);
    const span = { from: '2026-03-02', to: '2026-03-01' };
    await search(page, span);
    for (const _ of ['searched', 'opened']) {
      await page
        .getByRole('alert')
        .getByText(/from|to/)
        .waitFor();
      const values = ['from', 'to'].map((name) => page.locator(`.search [name="${name}"]`).inputValue());
      expect(await Promise.all(values)).toEqual([span.from, span.to]);
      expect(await page.getByRole('table', { name: TABLE }).count()).toBe(0);
      expect(await page.getByRole('link', { name: 'CSV', exact: true }).count()).toBe(0);
      await page.reload();
      await settled(page);
    }
    await search(page, { to: '2026-03-02' });
    await page.getByRole('table', { name: TABLE }).waitFor();
    expect(await page.getByRole('alert').innerText()).toBe('');
  });

  // dashboard#payments
  it('records what was given back by hand, which its transaction proves', async () => {
    const { world } = desk;
    const { data } = await desk
      .shop()
      .payments.list({ external_id: 'customer-0', outcome: 'paid', limit: 1 });
    const wallet = address(data[0]?.wallet ?? '');
    await world.give(world.owner, PRICE);
    await world.inNewBlock(() => sendTokens(world.rpc, world.token, world.owner, wallet, PRICE / 2n));
    const account = await tokenAccountOf(world.token, wallet);
    const [sent] = await world.rpc
      .getSignaturesForAddress(account, { limit: 1, commitment: 'confirmed' })
      .send();
    const page = await desk.enter('payments?q=customer-0&outcome=paid');
    const record = async (proof: string) => {
      await page.getByRole('button', { name: 'Record a refund: customer-0' }).first().click();
      await page.getByLabel('Signature of that transaction').fill(proof);
      await shows(page, 'You paid 5 tokens back to customer-0, or a part of it, from a wallet.');
      // Nothing is worked on while the person is asked.
      expect(await page.getByText('Working…').count()).toBe(0);
      await page.getByRole('dialog').getByRole('button', { name: 'Record a refund' }).click();
    };
    await record('nothing');
    await page
      .getByRole('alert')
      .getByText(/signature/i)
      .waitFor();
    await record(sent?.signature ?? '');
    await shows(page, 'The refund is recorded.');
    const [[, , , amount] = []] = await rowsOf(page, TABLE);
    expect(amount).toMatch(/^5 tokens 2\.50 tokens given back \w{4}…\w{4}$/);
    await expectEveryLook(page, 'dashboard-payments-refunded');
  });

  // dashboard#payments, dashboard#customers
  it('saves the payments and the customers that are shown as files', async () => {
    const page = await desk.enter('payments', { access: 'read' });
    await settled(page);
    await search(page, { q: 'customer-0', outcome: 'paid' });
    const today = desk.world.now().toISOString().slice(0, 10);
    const csv = await desk
      .shop()
      .payments.export({ format: 'csv', external_id: 'customer-0', outcome: 'paid' });
    expect(await saved(page, 'CSV')).toEqual([`payments-night-library-${today}.csv`, await textOf(csv)]);
    await page.getByRole('link', { name: 'Customers', exact: true }).click();
    await heading(page, 'Customers');
    await page.getByRole('link', { name: 'Late', exact: true }).click();
    await page.locator('.filters a[aria-current="true"]:text-is("Late")').waitFor();
    await settled(page);
    const ndjson = await desk.shop().subscriptions.export({ format: 'ndjson', late: true });
    expect(await saved(page, 'NDJSON')).toEqual([
      `subscriptions-night-library-${today}.ndjson`,
      await textOf(ndjson),
    ]);
    desk.world.advance(2 * HOUR);
    await page.getByRole('link', { name: 'CSV', exact: true }).click();
    await shows(page, 'You were logged out');
  });

  // dashboard#calls-of-the-page
  it('has no buttons for a key that reads', async () => {
    const [customer] = (await desk.shop().subscriptions.search({ external_id: 'customer-5' })).data;
    const endpoint = await desk.shop().endpoints.create({
      url: 'https://shop.example/webhooks',
      types: ['subscription.renewed'],
    });
    const page = await desk.enter('plans', { access: 'read' });
    for (const [place, title, says] of [
      ['plans', 'Plans', /^Plans/],
      [`customers/${customer?.id ?? ''}`, 'customer-5', TO_ACT],
      ['webhooks', 'Webhooks', TO_ACT],
      [`webhooks/${endpoint.id}`, 'https://shop.example/webhooks', TO_ACT],
      ['keys', 'Keys and audit', TO_ACT],
    ] as const) {
      await page.evaluate((hash) => (location.hash = hash), desk.hash(place));
      await heading(page, title);
      await settled(page);
      await shows(page, says);
      expect(await page.getByRole('main').getByRole('button').count(), place).toBe(0);
    }
    await page.evaluate((hash) => (location.hash = hash), desk.hash('customers/sub_unknown'));
    await shows(page, 'This could not be read.');
  });

  // dashboard#customers, dashboard#a-subscription
  it('leads from a subscription that was replaced to the newer one', async () => {
    const { data } = await desk.shop().subscriptions.search({ external_id: HOSTILE_NAME });
    const [newer, older] = data;
    expect(data.map(({ status }) => status)).toEqual(['active', 'superseded']);
    const page = await desk.enter(`customers?q=${older?.wallet ?? ''}`, { access: 'read' });
    const [, [, , status, , , why] = []] = await rowsOf(page, /^Subscriptions/);
    expect([status, why]).toEqual([
      'Replaced',
      'The customer came back with a newer subscription. Show all of this wallet',
    ]);
    await page.evaluate((hash) => (location.hash = hash), desk.hash(`customers/${older?.id ?? ''}`));
    await shows(page, 'Replaced');
    await page.getByRole('link', { name: 'Show the newer subscription' }).click();
    await page.waitForURL((url) => url.hash.endsWith(newer?.id ?? ''));
    await shows(page, 'Active');
    await page.getByRole('link', { name: 'Show the newer subscription' }).waitFor({ state: 'detached' });
  });

  // dashboard#a-subscription
  it('shows the older attempts and events of a subscription', async () => {
    const [customer] = (await desk.shop().subscriptions.search({ external_id: 'customer-0' })).data;
    const { data } = await desk.shop().subscriptions.attempts(customer?.id ?? '', { limit: 100 });
    const page = await desk.enter(`customers/${customer?.id ?? ''}`, { access: 'read' });
    expect(await rowsOf(page, 'Attempts to charge')).toHaveLength(20);
    await shows(page, /No two of the newest \d+ are for one period\.$/);
    await page.getByRole('link', { name: 'Show older attempts' }).click();
    await page.getByRole('link', { name: 'Show the newest attempts' }).waitFor();
    expect(await rowsOf(page, 'Attempts to charge')).toHaveLength(Math.min(20, data.length - 20));
    await page.getByRole('link', { name: 'Show the newest attempts' }).click();
    await page.getByRole('link', { name: 'Show older attempts' }).waitFor();
    expect(await rowsOf(page, 'Attempts to charge')).toHaveLength(20);
  });
});
