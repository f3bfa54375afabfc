import type { BrowserWallet } from '@subrail/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { PageWorldOptions } from '../page-world.js';
import { sharedPages } from '../shared-pages.js';

/** Pages whose dashboard an operator opens with keys of the service. */
export function openDesk(options: PageWorldOptions = {}) {
  const pages = sharedPages(options);
  const browsers = new Map<'read' | 'write', Page>();
  const keyOf = async (access: 'read' | 'write' = 'write', name = 'Ada') =>
    pages.world.billing.management.createKey({ name, access });
  return {
    pages,
    keyOf,
    get world() {
      return pages.world;
    },
    shop: () => pages.world.billing.project(pages.world.projectId),
    /** The address of a page of the project. */
    hash: (page: string) => `#/${pages.world.projectId}/${page}`,
    /**
     * Opens the dashboard with a new log-in: in the one browser of all tests of the file whose keys have this
     * access, unless it has wallets, or is to be of its own.
     */
    async enter(
      page = 'customers',
      {
        access = 'write',
        wallets = [],
        isOwn: asked = false,
        ...more
      }: BrowserContextOptions & {
        access?: 'read' | 'write';
        wallets?: readonly BrowserWallet[];
        isOwn?: boolean;
      } = {},
    ): Promise<Page> {
      const isOwn = asked || wallets.length > 0 || Object.keys(more).length > 0;
      const shared = isOwn ? undefined : browsers.get(access);
      const opened =
        shared ?? (await (isOwn ? pages.open : pages.openForAll)(wallets, more, 'about:blank')).page;
      if (!isOwn) browsers.set(access, opened);
      const { key } = await keyOf(access);
      await opened.goto('about:blank');
      await opened.context().addCookies([await cookieOf(`${pages.url}/dashboard`, key)]);
      await opened.goto(`${pages.url}/dashboard#/${pages.world.projectId}/${page}`);
      return opened;
    },
  };
}

/** The cookie of a log-in, as a browser has it. */
async function cookieOf(dashboard: string, key: string) {
  const answer = await fetch(`${dashboard}/log-in`, {
    method: 'POST',
    headers: { 'X-Subrail-Dashboard': '1' },
    body: JSON.stringify({ key }),
  });
  const [, name = '', value = ''] = /^(\w+)=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
  const { hostname: domain, pathname: path } = new URL(dashboard);
  return {
    name,
    value,
    domain,
    path,
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Strict' as const,
  };
}

export async function logIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('Management key').fill(key);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** The text of each cell of a table, row by row, once the page has read what it shows. */
export async function rowsOf(page: Page, caption: string | RegExp): Promise<readonly (readonly string[])[]> {
  await settled(page);
  const table = page.getByRole('table', { name: caption });
  await table.waitFor();
  return table.evaluate((one) =>
    [...one.querySelectorAll('tbody tr')].map((row) =>
      [...row.querySelectorAll<HTMLElement>('th, td')].map((cell) =>
        cell.innerText.replace(/\s+/g, ' ').trim(),
      ),
    ),
  );
}

/** Waits until the page has read what it shows. */
export const settled = (page: Page) => page.locator('main[aria-busy="false"]').waitFor();
