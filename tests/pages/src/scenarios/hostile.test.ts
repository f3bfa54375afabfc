// Heavy: Chromium opens pages whose every field is hostile, below other paths and behind a proxy.

import { createServer } from 'node:http';
import { PRICE } from '@subrail/test-world';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { accountOf } from '../account-of.js';
import { cancel, heading, isPaid, NAME, openScene, pay, press, review, shows } from './scene.js';

const scene = openScene();

const PATHS = ['/checkout', `/checkout/lnk_${'a'.repeat(24)}`, '/portal', '/cancel'];
const MARKUP = '<img src=x onerror=alert(1)>';

/** All that a page holds, also inside of its elements. */
const everything = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const parts: string[] = [];
    const read = (root: Document | ShadowRoot) => {
      parts.push(
        root.firstElementChild?.outerHTML ?? '',
        ...Array.from(root.children, (one) => one.outerHTML),
      );
      for (const one of root.querySelectorAll('*')) if (one.shadowRoot !== null) read(one.shadowRoot);
    };
    read(document);
    return parts.join('\n');
  });

describe('hostile names', () => {
  // portal#what-a-customer-cannot-do
  it('of project, plan, wallet and customer are text, in the checkout and in the portal', async () => {
    const { world } = scene;
    const { id: project } = await world.billing.projects.create({
      name: `P ${MARKUP}`,
      tier: 'business',
    });
    await world.publishPlan(project, 'hostile', {
      name: `N "${MARKUP}`,
      description: `D </p><script>alert(1)</script>${MARKUP}`,
    });
    const shop = world.billing.project(project);
    const name = `W '"><script>alert(1)</script>${MARKUP}`;
    const key = await world.wallet(10n * PRICE);
    const wallets = [
      { name, accounts: [accountOf(key)] },
      // It cannot pay, so the page says why next to its name.
      { name: `S ${MARKUP}`, accounts: [accountOf(key)], send: () => Promise.resolve() },
    ];
    const { url } = await shop.checkouts.create({
      plan: 'hostile',
      external_id: `"><script>alert(1)</script>`,
      ask_email: true,
      success_url: `https://shop.example/?q=${encodeURIComponent(MARKUP)}`,
    });
    const { page, faults } = await scene.open(`/checkout${new URL(url).hash}`, wallets);
    await page.route('https://shop.example/**', (route) => route.fulfill({ body: 'Thanks!' }));
    await page.getByRole('button', { name, exact: true }).click();
    await heading(page, 'Check and pay');
    await shows(page, `P ${MARKUP}`);
    await shows(page, `Subscribe to N "${MARKUP}`);
    await shows(page, `D </p><script>alert(1)</script>`);
    await page.getByText('The terms that your wallet signs').click();
    await page.getByLabel('Email').fill(`"><script>alert(1)</script>@x.test`);
    await pay(page);
    await shows(page, 'Write the email like name@example.com');
    await page.getByLabel('Email').fill('');
    expect(await page.evaluate(() => document.scripts.length)).toBe(1);
    await pay(page);
    await page.waitForURL('https://shop.example/**');
    expect(faults).toEqual([]);
    const { url: address } = await shop.portal.create({ external_id: `"><script>alert(1)</script>` });
    const portal = await scene.open(`/portal${new URL(address).hash}`, wallets);
    await cancel(portal.page, `Cancel: N "${MARKUP}`);
    await portal.page.getByRole('button', { name, exact: true }).click();
    await shows(portal.page, 'Cancelled. Solana confirmed it');
    expect(await portal.page.evaluate(() => document.scripts.length)).toBe(1);
  });
});

// checkout-sessions#addresses-to-return-to
it('leads to no address but those that the server gave', async () => {
  const payer = await scene.payer();
  const hash = (await scene.checkoutPath({ success_url: 'https://shop.example/thanks' })).replace(/^.*#/, '');
  const evil = encodeURIComponent('https://evil.example/');
  const page = await scene.page(
    `/checkout?success_url=${evil}&cancel_url=${evil}&return_url=${evil}&service=${evil}&url=${evil}#${hash}`,
    payer,
  );
  await page.route(/^https:/, (route) => route.fulfill({ body: 'Thanks!' }));
  await review(page);
  await pay(page);
  await page.waitForURL(/^https:\/\/shop\.example\/thanks\?checkout=chk_\w{24}$/);
  for (const success_url of [
    'javascript:alert(1)',
    'http://shop.example/',
    'data:text/html,x',
    '//evil.example',
  ])
    await expect(scene.checkoutPath({ success_url })).rejects.toMatchObject({ code: 'invalid_request' });
});

// checkout-sessions#secret-of-a-session
it('asks its own origin alone, and no secret or key is in an address, a referrer or a body', async () => {
  const { pages, world } = scene;
  const payer = await scene.payer();
  const { key } = await world.billing.project(world.projectId).keys.create();
  const { page, requests } = await scene.open(
    await scene.checkoutPath({ external_id: 'private', email: 'private@example.test' }),
    [payer.wallet],
  );
  const answers: string[] = [];
  page.on(
    'response',
    (response) =>
      void response.text().then(
        (text) => answers.push(text),
        () => undefined,
      ),
  );
  const secret = new URL(page.url()).hash.slice(1);
  await review(page);
  await pay(page);
  await isPaid(page);
  await page.getByRole('link', { name: 'Show my subscriptions' }).click();
  await page.getByRole('article', { name: 'Pro' }).waitFor();
  await page.getByText('Payments', { exact: true }).click();
  await shows(page, '1 payment, 5 tokens in all.');
  expect(requests.length).toBeGreaterThan(6);
  for (const request of requests) {
    const address = new URL(request.url());
    expect(['data:', new URL(pages.url).protocol]).toContain(address.protocol);
    if (address.protocol !== 'data:') expect(address.origin).toBe(pages.url);
    expect(address.pathname + address.search).not.toContain('chs_');
    const { authorization, referer, cookie } = await request.allHeaders();
    expect([referer ?? '', cookie ?? '']).toEqual(['', '']);
    expect(request.postData() ?? '').not.toContain('chs_');
    // The scripts and the page are asked for without the secret, and the routes of customers with it.
    expect(authorization).toBe(address.pathname.startsWith('/customer/') ? `Bearer ${secret}` : undefined);
  }
  expect(answers.length).toBeGreaterThan(3);
  for (const text of [...answers, await everything(page)]) {
    expect(text).not.toContain(key);
    expect(text).not.toContain(scene.world.projectId);
  }
  const kept = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
  );
  expect(kept).not.toContain(secret);
});

// cancel-page#where-a-wallet-cancels
it('is served under a policy without exceptions, and shown in no frame', async () => {
  for (const path of PATHS) {
    const { status, headers } = await fetch(scene.pages.url + path);
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:|nonce|wasm/);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
  const { page } = await scene.open('/pages/style.css', []);
  // Another page of the browser, because a refused frame is an error of the page around it.
  const around = await page.context().newPage();
  await around.route('https://evil.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: PATHS.map((path) => `<iframe src="${scene.pages.url}${path}"></iframe>`).join(''),
    }),
  );
  await around.goto('https://evil.example/');
  const frames = around.frames().slice(1);
  expect(frames).toHaveLength(PATHS.length);
  for (const frame of frames)
    expect(
      await frame
        .locator('main')
        .count()
        .catch(() => 0),
    ).toBe(0);
});

it('says what to do without JavaScript, on every page', async () => {
  const { page } = await scene.open('/checkout', [], { javaScriptEnabled: false });
  for (const path of PATHS) {
    await page.goto(scene.pages.url + path);
    expect(await page.locator('main').innerText()).toMatch(/JavaScript/);
  }
});

/** A proxy that serves what is below a path from a service without that path. */
async function openProxy(service: string, below: string) {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { host: _, connection: __, ...headers } = request.headers;
      if (!path.startsWith(`${below}/`)) return void response.writeHead(404).end();
      fetch(service + path.slice(below.length), {
        method: request.method ?? 'GET',
        headers: headers as Record<string, string>,
        redirect: 'manual',
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      }).then(
        async (answer) => {
          const {
            'content-encoding': ___,
            'content-length': ____,
            ...more
          } = Object.fromEntries(answer.headers);
          response.writeHead(answer.status, more).end(Buffer.from(await answer.arrayBuffer()));
        },
        () => response.writeHead(502).end(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}${below}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

// checkout-sessions#plan-links
it('pays by a link, and cancels, behind a proxy that takes a path away', async () => {
  const proxy = await openProxy(scene.pages.url, '/shop/billing');
  try {
    const payer = await scene.payer();
    const { page } = await scene.open('/pages/style.css', [payer.wallet]);
    await page.goto(proxy.url + (await scene.linkPath()));
    await review(page);
    await pay(page);
    await isPaid(page);
    await scene.expectPaidOnce(payer);
    const [{ id } = { id: '' }] = await scene.paidOf(payer.key);
    await page.goto(proxy.url + (await scene.portalPath({ subscription: id })));
    await cancel(page);
    await press(page, NAME);
    await shows(page, 'Cancelled. Solana confirmed it');
  } finally {
    await proxy.close();
  }
});

describe('below a base path', () => {
  const mounted = openScene({ basePath: '/pay/v2' });

  it('pays by a link, shows what was paid, and nothing is asked for outside of it', async () => {
    const payer = await mounted.payer();
    const { page, requests } = await mounted.open(await mounted.linkPath(), [payer.wallet]);
    await review(page);
    await pay(page);
    await isPaid(page);
    await mounted.expectPaidOnce(payer);
    await page.getByRole('link', { name: 'Show my subscriptions' }).click();
    await page.getByRole('article', { name: 'Pro' }).waitFor();
    expect(page.url()).toContain(`${mounted.pages.url}/portal#lnk_`);
    await page.goto(`${mounted.pages.url}/portal`);
    await page.waitForURL(`${mounted.pages.url}/cancel`);
    await press(page, NAME);
    await page.getByRole('article', { name: 'Pro, Night Library' }).waitFor();
    for (const request of requests)
      if (!request.url().startsWith('data:')) expect(request.url()).toContain(`${mounted.pages.url}/`);
  });
});
