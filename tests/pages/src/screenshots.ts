import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const FOLDER = fileURLToPath(new URL('../screenshots/', import.meta.url));
const DOCS = fileURLToPath(new URL('../../../docs/pictures/', import.meta.url));

/** Writes a picture of a page, when pictures are asked for: `PAGE_SCREENSHOTS=yes npm run test:pages`. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env['PAGE_SCREENSHOTS'] === undefined) return;
  mkdirSync(FOLDER, { recursive: true });
  const path = `${FOLDER}${name}.png`;
  await page.screenshot({ path, fullPage: true });
  console.log(path);
}

/** The size of a picture in the docs, where a page of customers has room. */
const SIZE = { width: 620, height: 430 };

/** Writes a picture of the docs, for `npm run docs:pictures`: the whole page, or what a desk shows of it. */
export async function takeDocsPicture(page: Page, name: string, desk?: typeof SIZE): Promise<void> {
  if (process.env['DOCS_PICTURES'] === undefined) return;
  const before = page.viewportSize();
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize(desk ?? SIZE);
  // Without the mouse and the focus, which are the test's.
  await page.mouse.move(0, 0);
  await page.locator(':focus').last().blur();
  await page.screenshot({ path: `${DOCS}${name}.png`, fullPage: desk === undefined });
  if (before !== null) await page.setViewportSize(before);
}
