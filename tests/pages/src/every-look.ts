import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityFaults } from './page-world.js';
import { takePicture } from './screenshots.js';

/** The widths of a small phone, a large one, a tablet and a desk. */
const WIDTHS = [320, 390, 768, 1280];

/** The rules of axe that a colour scheme may break. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Looks at a page as it is now at widths and in both colour schemes: axe finds nothing, it has room. */
export async function expectEveryLook(page: Page, name: string, widths = WIDTHS): Promise<void> {
  const before = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of widths) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 800 });
      const faults = await accessibilityFaults(page, colorScheme === 'light' ? null : OF_COLOURS);
      expect(faults, `${name}, ${colorScheme}, ${width}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await takePicture(page, `${name}-${colorScheme}-${width}`);
    }
  if (before !== null) await page.setViewportSize(before);
}
