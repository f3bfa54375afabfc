import { createRefuse, createRequestHandler } from '@subrail/core';
import type { HttpSender, Mailer, VerifiedToken } from '@subrail/core/ports';
import { serve } from '@subrail/host-node';
import {
  withDashboard,
  withPages,
  type DashboardOptions,
  type DemoWallet,
  type PagesOptions,
} from '@subrail/pages';
import { openTestWorld, type TestWorld, type TestWorldOptions } from '@subrail/test-world';
import { installWallets, type BrowserWallet } from '@subrail/testing';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';
import { openBrowser } from './browser.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A page of the host in a browser of its own. */
export interface OpenPage {
  readonly page: Page;
  /** What went wrong in the page, and what its policy refused. */
  readonly faults: readonly string[];
  /** Every request of its browser, oldest first. */
  readonly requests: readonly Request[];
  close(): Promise<void>;
}

/** Where the host is mounted, what its pages offer, and the programs of its chain besides its own. */
export interface PageWorldOptions extends Pick<TestWorldOptions, 'programs'> {
  /** The path of the host's routes. Default: none. */
  readonly basePath?: string;
  /** Makes the demo wallet that the pages offer. Default: none. */
  readonly demoWalletOf?: (world: TestWorld) => Promise<DemoWallet>;
  /** The number of proxies that are believed about where a call comes from. Default: none. */
  readonly trustedProxies?: number;
  /** Posts webhooks. Default: nothing does. */
  readonly sender?: HttpSender;
  /** Sends mails from `billing@night-library.example`. Default: none are sent. */
  readonly mailer?: Mailer;
  /** Exchanges the tickets of the dashboard. Default: there are none. */
  readonly redeem?: DashboardOptions['redeem'];
}

/** A service behind the host's HTTP server, with its pages in a browser. */
export interface PageWorld {
  readonly world: TestWorld;
  readonly url: string;
  /** Opens a path, or an address elsewhere, with these wallets: the cancel page by default. */
  open(wallets: readonly BrowserWallet[], options?: BrowserContextOptions, path?: string): Promise<OpenPage>;
  /** Has the operator vouch for these tokens, and for no others. */
  vouchFor(tokens: readonly VerifiedToken[]): void;
  /** Begins a new minute, so that no limit of an earlier test is reached. */
  newMinute(): void;
  close(): Promise<void>;
}

/** Opens a service with its pages, which offer a demo wallet where one is made. */
export async function openPageWorld({
  basePath = '',
  demoWalletOf,
  trustedProxies = 0,
  redeem = () => Promise.resolve(null),
  sender,
  mailer,
  ...options
}: PageWorldOptions = {}): Promise<PageWorld> {
  let verified: readonly VerifiedToken[] = [];
  const tokens = { list: () => Promise.resolve(verified) };
  const world = await openTestWorld({
    store: 'sqlite',
    ports: {
      tokens,
      ...(sender && { sender }),
      ...(mailer && { mailer, settings: { mailFrom: 'billing@night-library.example' } }),
    },
    ...options,
  });
  const handle = createRequestHandler(world.billing, { walletRoutes: true, customerRoutes: true, basePath });
  let answer = handle;
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    trustedProxies,
    handle: (request) => answer(request),
    refuse: createRefuse(world.billing.service.random),
    logger: world.billing.service.logger,
    shutdownTimeoutMs: 1_000,
  });
  const url = `http://127.0.0.1:${server.port}${basePath}`;
  const page = { basePath, publicUrl: url, serviceName: 'Night <b>Billing</b>' };
  const demoWallet = await demoWalletOf?.(world);
  const shown: PagesOptions = {
    ...page,
    // As the host does, which offers a demo wallet on its local chain alone.
    ...(demoWallet === undefined ? { chain: 'solana:devnet' } : { chain: 'solana:localnet', demoWallet }),
  };
  answer = withDashboard(withPages(handle, shown), { ...shown, service: world.billing.service, redeem });
  const browser: Browser = await openBrowser();
  return {
    world,
    url,
    async open(wallets, options = {}, path = '/cancel') {
      const context = await browser.newContext({
        locale: 'en-GB',
        timezoneId: 'UTC',
        viewport: { width: 1280, height: 900 },
        ...options,
      });
      // Beside the other parts of a run a page may be several times slower than alone.
      context.setDefaultTimeout(30_000);
      if (options.javaScriptEnabled !== false) await installWallets(context, wallets);
      const requests: Request[] = [];
      context.on('request', (request) => requests.push(request));
      const opened = await context.newPage();
      const faults: string[] = [];
      opened.on('pageerror', (error) => faults.push(error.message));
      opened.on('dialog', (dialog) => {
        faults.push(`A dialog was shown: ${dialog.message()}`);
        void dialog.dismiss();
      });
      opened.on('console', (message) => {
        const isAnswer = /Failed to load resource/.test(message.text());
        if (['error', 'warning'].includes(message.type()) && !isAnswer) faults.push(message.text());
      });
      await opened.goto(path.startsWith('/') ? url + path : path);
      return { page: opened, faults, requests, close: () => context.close() };
    },
    vouchFor: (list) => {
      verified = list;
    },
    newMinute: () => {
      world.advance(61_000);
    },
    async close() {
      await browser.close();
      await server.stop();
      await world.close();
    },
  };
}

/**
 * What axe-core finds wrong with a page as it is now, by some rules or by all: the id of each rule, and what
 * breaks it.
 */
export async function accessibilityFaults(
  page: Page,
  rules: readonly string[] | null = null,
): Promise<readonly string[]> {
  // It is large, and stays as long as the page does.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(
    async (options) => {
      const { axe } = window as unknown as { axe: { run(options: object): Promise<AxeResult> } };
      const { violations } = await axe.run(options);
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    },
    // Nothing of the page is in a frame, and no rule that runs asks for its files.
    { resultTypes: ['violations'], preload: false, ...(rules === null ? {} : { runOnly: [...rules] }) },
  );
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}
