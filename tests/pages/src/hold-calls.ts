import type { Page } from 'playwright-core';

/** Holds the calls of a page to an address, until the returned function lets them go. */
export async function holdCalls(page: Page, url: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return () => release();
}
