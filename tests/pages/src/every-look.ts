import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityFaults } from './page-world.js';
import { takePicture } from './screenshots.js';

/** Looks at a page as it is now in both colour schemes, on a small phone and a desk: axe finds nothing. */
export async function expectEveryLook(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [320, 1280]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 800 });
      expect(await accessibilityFaults(page), `${name}, ${colorScheme}, ${width}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await takePicture(page, `${name}-${colorScheme}-${width}`);
    }
  if (before !== null) await page.setViewportSize(before);
}
