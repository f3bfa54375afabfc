import type { BrowserContextOptions, Page } from 'playwright-core';
import type { PageWorldOptions } from '../page-world.js';
import { sharedPages } from '../shared-pages.js';

/** Pages whose dashboard an operator opens with keys of the service. */
export function openDesk(options: PageWorldOptions = {}) {
  const pages = sharedPages(options);
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
    /** Opens the dashboard in a browser of its own, and logs in. */
    async enter(
      page = 'customers',
      { access = 'write', ...more }: BrowserContextOptions & { access?: 'read' | 'write' } = {},
    ): Promise<Page> {
      const { key } = await keyOf(access);
      const opened = await pages.open([], more, `/dashboard#/${pages.world.projectId}/${page}`);
      await logIn(opened.page, key);
      return opened.page;
    },
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
  const rows = await table.getByRole('row').all();
  const texts = await Promise.all(
    rows.map(async (row) =>
      (await row.locator('th, td').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim()),
    ),
  );
  return texts.slice(1);
}

/** Waits until the page has read what it shows. */
export const settled = (page: Page) => page.locator('main[aria-busy="false"]').waitFor();
