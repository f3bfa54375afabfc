import type { HandlerRequest } from '@subrail/core';
import { expect, test } from 'vitest';
import { withPages, type PagesOptions } from './pages.js';

const OPTIONS: PagesOptions = {
  basePath: '',
  serviceName: 'Shop billing',
  publicUrl: 'https://shop.example',
  chain: 'solana:mainnet',
};

async function answer(
  path: string,
  method = 'GET',
  options: Partial<PagesOptions> = {},
  headers: Readonly<Record<string, string>> = {},
) {
  const handle = withPages(async () => ({ status: 404, headers: {}, body: 'handled' }), {
    ...OPTIONS,
    ...options,
  });
  const request: HandlerRequest = {
    method,
    path,
    search: '',
    ip: '127.0.0.1',
    body: (async function* () {})(),
    header: (name) => headers[name] ?? null,
  };
  const { body, ...rest } = await handle(request);
  return { ...rest, body: body as string };
}

// cancel-page#where-a-wallet-cancels
test.each([
  ['', '/', 'GET'],
  ['', '/', 'HEAD'],
  ['', '/cancel/', 'GET'],
  ['/billing', '/billing', 'GET'],
  ['/billing', '/billing/', 'GET'],
])('under the base path "%s", %s leads to the page for %s', async (basePath, path, method) => {
  const publicUrl = `https://shop.example${basePath}`;
  const { status, headers, body } = await answer(path, method, { basePath, publicUrl });
  expect(status).toBe(302);
  expect(headers['Location']).toBe(`${publicUrl}/cancel`);
  expect(body.includes(`To cancel one: ${publicUrl}/cancel`)).toBe(method === 'GET');
});

test.each(['https://shop.example/', 'https://shop.example'])('%s leads to one address', async (publicUrl) => {
  const { headers } = await answer('/', 'GET', { publicUrl });
  expect(headers['Location']).toBe('https://shop.example/cancel');
});

// cancel-page#where-a-wallet-cancels
test('the page loads its own files only, and is framed by nobody', async () => {
  const { status, headers, body } = await answer('/cancel');
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'Content-Type': 'text/html; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
  });
  const policy = headers['Content-Security-Policy'] ?? '';
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "frame-ancestors 'none'",
  ])
    expect(policy).toContain(part);
  expect(policy).not.toContain('unsafe');
  expect(body).not.toMatch(/<script>|<style|style=|\son\w+=/);
  const loaded = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address);
  expect(loaded).toEqual([
    'data:,',
    expect.stringMatching(/^\.\/pages\/style\.css\?[0-9a-f]{16}$/),
    expect.stringMatching(/^\.\/pages\/portal\.js\?[0-9a-f]{16}$/),
  ]);
});

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

test.each([
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 10; K) ${CHROME}`, true],
  [
    'the browser within an app',
    `Mozilla/5.0 (Linux; Android 13; Pixel 6; wv) ${CHROME.replace('Chrome', 'Version/4.0 Chrome')}`,
    false,
  ],
  ['Firefox on Android', 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0', false],
  ['Chrome on a desk', `Mozilla/5.0 (X11; Linux x86_64) ${CHROME.replace(' Mobile', '')}`, false],
  ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) Version/26.0 Safari/604.1', false],
  ['nobody', '', false],
])('the pages reach the apps of wallets: in %s', async (_, agent, reaches) => {
  for (const path of ['/checkout', '/checkout/lnk_0Aa1', '/portal', '/cancel']) {
    const { headers, body } = await answer(path, 'GET', {}, { 'user-agent': agent });
    const policy = headers['Content-Security-Policy'] ?? '';
    expect(headers['Vary']).toBe('Accept-Language, User-Agent');
    expect(policy.match(/connect-src [^;]*/)?.[0]).toBe(
      `connect-src 'self'${reaches ? ' ws://localhost:*' : ''}`,
    );
    expect(policy).not.toContain('unsafe');
    expect(body.includes('/pages/wallet-app.js?')).toBe(reaches);
  }
  const local = await answer('/checkout', 'GET', { chain: 'solana:localnet' }, { 'user-agent': agent });
  expect(local.body).not.toContain('wallet-app');
});

test.each([
  ['/pages/portal.js', 'text/javascript', 'wallet-standard:register-wallet'],
  ['/pages/style.css', 'text/css', 'prefers-color-scheme'],
])('%s is one of them', async (path, type, part) => {
  const { status, headers, body } = await answer(path);
  expect(status).toBe(200);
  expect(headers['Content-Type']).toBe(`${type}; charset=utf-8`);
  expect(headers['Cache-Control']).toContain('immutable');
  expect(body).toContain(part);
  expect(await answer(path, 'HEAD')).toMatchObject({ status: 200, body: '' });
});

test('the page names the service and its chain, whatever is in the name', async () => {
  const { body } = await answer('/cancel', 'GET', {
    serviceName: `<script>"Shop" & 'Co'</script>`,
    chain: 'solana:localnet',
  });
  expect(body).toContain('&lt;script&gt;&quot;Shop&quot; &amp; &#39;Co&#39;&lt;/script&gt;');
  expect(body).not.toContain('<script>');
  expect(body).toContain('<body data-chain="solana:localnet" data-service=".">');
});

test.each(['/checkout/lnk_0Aa1Bb2Cc3Dd4Ee5Ff6Gg7Hh', '/checkout/lnk_0Aa1', '/checkout/lnk_'])(
  '%s has a page, also where a link was mistyped',
  async (path) => {
    const { status, body } = await answer(path);
    expect([status, body.includes('<subrail-checkout')]).toEqual([200, true]);
  },
);

// cancel-page#where-a-wallet-cancels
test('the page says how to cancel without it, on a local chain by a command too', async () => {
  const { body } = await answer('/cancel');
  expect(body).toContain('revoke the approval of the token that you pay with');
  expect(body).toContain('https://shop.example/wallet/v1/&lt;wallet&gt;/subscriptions');
  expect(body).not.toContain('subrail local');
  const local = await answer('/cancel', 'GET', { chain: 'solana:localnet' });
  expect(local.body).toContain('subrail local cancel');
});

test.each([
  [null, 'en'],
  ['', 'en'],
  ['fr,nl;q=0.9', 'en'],
  ['de', 'de'],
  ['de-AT', 'de'],
  ['fr, de;q=0.9, en;q=0.8', 'de'],
  ['en-GB,en;q=0.9,de;q=0.9', 'en'],
  ['en;q=0.2,DE;q=0.8', 'de'],
  ['de;q=0', 'en'],
  ['*', 'en'],
])('a browser that asks for "%s" gets the texts without a script in %s', async (asked, language) => {
  for (const path of ['/cancel', '/checkout', '/portal', '/checkout/lnk_0Aa1']) {
    const { headers, body } = await answer(
      path,
      'GET',
      {},
      asked === null ? {} : { 'accept-language': asked },
    );
    expect(headers['Vary']).toBe('Accept-Language, User-Agent');
    expect(body).toContain(`<html lang="${language}">`);
    expect(body.includes('Laden Sie die Seite neu') || body.includes('laden Sie die Seite neu')).toBe(
      language === 'de',
    );
  }
  const { body } = await answer('/cancel', 'GET', {}, asked === null ? {} : { 'accept-language': asked });
  expect(body).toContain(language === 'de' ? 'Andere Wege zu kündigen' : 'Other ways to cancel');
});

test.each([
  ['accept-language', `${'a'.repeat(2_000)}${' '.repeat(6_000)};x`],
  ['user-agent', 'Android '.repeat(20_000)],
])('a long %s of no browser holds up nobody', async (name, value) => {
  const began = performance.now();
  expect((await answer('/checkout', 'GET', {}, { [name]: value })).status).toBe(200);
  expect(performance.now() - began).toBeLessThan(1_000);
});

test.each([
  ['', '/v1', 'GET'],
  ['/billing', '/', 'GET'],
  ['/billing', '/cancel', 'GET'],
  ['', '/', 'POST'],
  ['', '/cancel', 'POST'],
  ['', '/wallet/v1/W/subscriptions', 'GET'],
])('under the base path "%s", %s is left to the handler for %s', async (basePath, path, method) => {
  expect(await answer(path, method, { basePath })).toMatchObject({ status: 404, body: 'handled' });
});
