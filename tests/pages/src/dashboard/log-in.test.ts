// Heavy: Chromium logs in, is logged out, and is refused, in browsers of its own.

import { HOUR } from '@subrail/test-world';
import { createRefuse, createRequestHandler } from '@subrail/core';
import { ManualClock } from '@subrail/core/testing';
import { serve } from '@subrail/host-node';
import { withDashboard } from '@subrail/pages';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectEveryLook } from '../every-look.js';
import { focusedText } from '../focused-text.js';
import { holdCalls } from '../hold-calls.js';
import { heading, press, shows } from '../scenarios/scene.js';
import { logIn, openDesk, settled } from './desk.js';

const tickets = new Map<string, string>();
const desk = openDesk({
  basePath: '/billing',
  redeem: async (ticket) => {
    const key = tickets.get(ticket) ?? null;
    tickets.delete(ticket);
    return key;
  },
});

const cookieOf = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === 'subrail_dashboard');

/** Calls the server from the page, with the cookie of its browser; answers the status and the code. */
const called = (page: Page, path: string, init: RequestInit = {}) =>
  page.evaluate(
    async ([address, options]) => {
      const response = await fetch(address, options);
      const { code = null } = (await response.json()) as { code?: string };
      return [response.status, code];
    },
    [`${desk.pages.url}/dashboard/${path}`, init] as const,
  );

const OURS = { 'X-Subrail-Dashboard': '1' };

// dashboard#log-in, dashboard#the-cookie-of-a-log-in
it('takes a management key, keeps it from the script, and lets it go', async () => {
  const { key } = await desk.keyOf();
  const { page, requests } = await desk.pages.open([], {}, '/dashboard');
  await heading(page, 'Log in');
  await logIn(page, 'SUBM_wrong');
  await shows(page, 'No management key has this text.');
  await expectEveryLook(page, 'dashboard-log-in');
  await logIn(page, key);
  await heading(page, 'Home');
  expect(page.url()).toBe(`${desk.pages.url}/dashboard${desk.hash('home')}`);
  expect(await cookieOf(page)).toMatchObject({
    httpOnly: true,
    sameSite: 'Strict',
    secure: false,
    path: '/billing/dashboard',
  });
  const stored = await page.evaluate(() => [
    document.cookie,
    document.body.innerHTML,
    JSON.stringify([localStorage, sessionStorage]),
  ]);
  expect(JSON.stringify(stored)).not.toContain(key);
  expect((await cookieOf(page))?.value).not.toContain(key.slice(5));
  for (const request of requests) expect(request.url()).not.toContain(key);
  await page.reload();
  await heading(page, 'Home');
  await shows(page, 'Logged in as Ada');
  const kept = () =>
    page.evaluate(() => Object.keys(sessionStorage).filter((one) => /page-before/.test(one)));
  const visited = desk.hash('payments?q=ada%40example.org');
  const keep = () =>
    page.evaluate((hash) => sessionStorage.setItem(`subrail:page-before:${hash}`, hash), visited);
  await keep();
  expect(await kept()).toHaveLength(1);
  await press(page, 'Log out');
  await shows(page, 'You are logged out.');
  expect(await kept()).toEqual([]);
  expect(await cookieOf(page)).toBeUndefined();
  expect(await focusedText(page)).toBe('');
  await page.reload();
  await heading(page, 'Log in');
  await keep();
  await logIn(page, key);
  await heading(page, 'Home');
  expect(await kept()).toEqual([]);
});

// dashboard#end-of-a-log-in
it('keeps the focus in the log-in when a page was still being read', async () => {
  const { key } = await desk.keyOf();
  const { page } = await desk.pages.open([], {}, '/dashboard');
  const release = await holdCalls(page, '**/figures?*');
  await logIn(page, key);
  await press(page, 'Log out');
  await shows(page, 'You are logged out.');
  const read = page.waitForResponse(/\/figures\?/);
  release();
  await read;
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('key');
});

// dashboard#end-of-a-log-in
it('ends after two hours without use, after twelve in all, and with its key', async () => {
  const page = await desk.enter();
  await settled(page);
  desk.world.advance(2 * HOUR);
  await press(page, 'Search');
  await shows(page, 'You were logged out');
  await desk.pages.closeOpened();

  const used = await desk.enter();
  await settled(used);
  for (let hour = 0; hour < 11; hour += 1) {
    desk.world.advance(HOUR);
    expect(await called(used, 'session', { method: 'POST', headers: OURS })).toEqual([200, null]);
  }
  desk.world.advance(HOUR);
  expect(await called(used, 'session', { method: 'POST', headers: OURS })).toEqual([401, 'missing_api_key']);
  await used.getByRole('link', { name: 'Late' }).click();
  await shows(used, 'You were logged out');

  const { id, key } = await desk.keyOf();
  await logIn(used, key);
  await settled(used);
  expect(used.url()).toContain('filter=late');
  await desk.world.billing.management.revokeKey(id);
  await used.getByRole('link', { name: 'Blocked' }).click();
  await shows(used, 'This key opens nothing any more');
  await expectEveryLook(used, 'dashboard-revoked');
});

// dashboard#calls-of-the-page
it('answers its own page alone, and what the key may do', async () => {
  const page = await desk.enter('customers', { access: 'read', isOwn: true });
  await shows(page, 'This key may only read');
  const post = {
    method: 'POST',
    headers: { ...OURS, 'Content-Type': 'application/json' },
    body: '{"name":"x"}',
  };
  expect(await called(page, 'api/projects', post)).toEqual([403, 'forbidden']);
  expect(await called(page, 'api/projects')).toEqual([403, 'forbidden']);
  expect(await called(page, 'api/../v1/plans', { headers: OURS })).toEqual([404, 'not_found']);
  expect(await called(page, 'health', { headers: OURS })).toEqual([404, 'not_found']);
  const { value = '' } = (await cookieOf(page)) ?? {};
  const file = `projects/${desk.world.projectId}/payments/export?format=csv`;
  const sent = async (headers: Readonly<Record<string, string>>, path = 'projects', method = 'GET') =>
    (
      await fetch(`${desk.pages.url}/dashboard/api/${path}`, {
        method,
        headers: { Cookie: `subrail_dashboard=${value}`, ...headers },
      })
    ).status;
  const origin = new URL(desk.pages.url).origin;
  expect(await sent({ ...OURS, Origin: origin })).toBe(200);
  expect(await sent({ ...OURS, Origin: 'https://evil.example' })).toBe(403);
  expect(await sent({ ...OURS, Origin: 'null' })).toBe(403);
  expect(await sent({ ...OURS, 'Sec-Fetch-Site': 'same-site', Origin: origin })).toBe(403);
  expect(await sent({ ...OURS, 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
  expect(await sent({ ...OURS, Cookie: 'subrail_dashboard=1.AAAA' })).toBe(401);
  // A browser saves a file without the header.
  const ours = { 'Sec-Fetch-Site': 'same-origin' };
  expect(await sent(ours, file)).toBe(200);
  expect(await sent(ours)).toBe(403);
  expect(await sent(ours, file, 'POST')).toBe(403);
  for (const site of ['same-site', 'cross-site', 'none'])
    expect(await sent({ 'Sec-Fetch-Site': site }, file), site).toBe(403);
  expect(await sent({}, file)).toBe(403);
  expect(await sent({ ...ours, Cookie: 'subrail_dashboard=1.AAAA' }, file)).toBe(401);
  // A page of another origin, to which the browser yet sends the cookie: a port makes no other site.
  const evil = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<p>'));
  await once(evil.listen(0, '127.0.0.1'), 'listening');
  const other = await page.context().newPage();
  await other.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
  const posted: number[] = [];
  other.on('response', (response) => {
    if (response.request().method() === 'POST') posted.push(response.status());
  });
  const answers = await other.evaluate(async (address) => {
    const headers = { 'X-Subrail-Dashboard': '1' };
    const withHeader = fetch(address, { method: 'POST', credentials: 'include', headers });
    const isRefused = await withHeader.then(
      () => false,
      () => true,
    );
    await fetch(address, { method: 'POST', credentials: 'include', mode: 'no-cors' }).catch(() => null);
    return isRefused;
  }, `${desk.pages.url}/dashboard/log-out`);
  expect([answers, posted]).toEqual([true, [403]]);
  const link = `${desk.pages.url}/dashboard/api/${file}`;
  const opened = other.waitForResponse(link);
  await other.evaluate((address) => location.assign(address), link);
  expect((await opened).status()).toBe(403);
  evil.close();
  await page.reload();
  await heading(page, 'Customers');
});

// dashboard#log-in
it('counts wrong keys against the address', async () => {
  const { page } = await desk.pages.open([], {}, '/dashboard');
  const wrong = `SUBM_${'x'.repeat(43)}`;
  const body = JSON.stringify({ key: wrong });
  const last = await page.evaluate(
    async ([address, text]) => {
      let status = 0;
      for (let count = 0; count < 121; count += 1)
        ({ status } = await fetch(address, {
          method: 'POST',
          headers: { 'X-Subrail-Dashboard': '1' },
          body: text,
        }));
      return status;
    },
    [`${desk.pages.url}/dashboard/log-in`, body] as const,
  );
  expect(last).toBe(429);
  await logIn(page, wrong);
  await shows(page, /Too many calls. Try again in \d+ seconds./);
});

// dashboard#ticket
it('logs in once with a ticket in the fragment', async () => {
  const { key } = await desk.keyOf('write', 'npm start');
  tickets.set('t1', key);
  const { page, requests } = await desk.pages.open([], {}, '/dashboard#ticket=t1');
  await heading(page, 'Home');
  await shows(page, 'Logged in as npm start');
  expect(page.url()).not.toContain('t1');
  for (const request of requests) expect(request.url()).not.toContain('t1');
  const { page: again } = await desk.pages.open([], {}, '/dashboard#ticket=t1');
  await shows(again, 'This address was used already');
});

// dashboard#the-cookie-of-a-log-in
it('is known to another host of the service, behind https too', async () => {
  const page = await desk.enter();
  await heading(page, 'Customers');
  const { value = '' } = (await cookieOf(page)) ?? {};
  const { billing } = desk.world.host(desk.world.store);
  const refuse = createRefuse(billing.service.random);
  // The time of a local chain, which may be far ahead of that by which log-ins end.
  const now = new Date('2030-05-01T00:00:00.000Z');
  const other = await serve({
    host: '127.0.0.1',
    port: 0,
    trustedProxies: 0,
    handle: withDashboard(createRequestHandler(billing), {
      basePath: '',
      publicUrl: 'https://billing.example',
      serviceName: 'Other',
      chain: 'solana:devnet',
      service: { ...billing.service, clock: new ManualClock(now) },
    }),
    refuse,
    logger: billing.service.logger,
    shutdownTimeoutMs: 1_000,
  });
  const call = (path: string, headers: Readonly<Record<string, string>>, method = 'POST', body?: string) =>
    fetch(`http://127.0.0.1:${other.port}/dashboard${path}`, {
      method,
      headers: { ...OURS, ...headers },
      ...(body === undefined ? {} : { body }),
      redirect: 'manual',
    });
  const session = await call('/session', {
    Cookie: `subrail_dashboard=${value}`,
    'Sec-Fetch-Site': 'same-origin',
    Origin: 'https://billing.example',
  });
  expect(await session.json()).toMatchObject({ name: 'Ada', access: 'write', now: now.toISOString() });
  expect(session.headers.get('set-cookie')).toMatch(
    /^subrail_dashboard=\S+; Max-Age=7200; HttpOnly; SameSite=Strict; Secure$/,
  );
  expect((await call('/', {}, 'GET')).headers.get('location')).toBe('../dashboard');
  await other.stop();
});

// dashboard#log-in
it('says how to make the first key', async () => {
  for (const { id } of await desk.world.billing.management.listKeys())
    await desk.world.billing.management.revokeKey(id);
  desk.pages.newMinute();
  const { page } = await desk.pages.open([], {}, '/dashboard');
  await logIn(page, `SUBM_${'x'.repeat(43)}`);
  await shows(page, 'No management key exists, so nobody can log in.');
});
