import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const FOLDER = fileURLToPath(new URL('../screenshots/', import.meta.url));

/** Writes a picture of a page, when pictures are asked for: `PAGE_SCREENSHOTS=yes npm run test:pages`. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env['PAGE_SCREENSHOTS'] === undefined) return;
  mkdirSync(FOLDER, { recursive: true });
  const path = `${FOLDER}${name}.png`;
  await page.screenshot({ path, fullPage: true });
  console.log(path);
}
