// Heavy: Chromium looks at every kind of mail at every width and in both colour schemes.

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mailSamples } from '../../../scripts/docs/mail-samples.js';
import { openBrowser } from './browser.js';
import { expectEveryLook } from './every-look.js';
import { takeDocsPicture } from './screenshots.js';

/** The width of a phone that is small, and that of a reading pane. */
const WIDTHS = [320, 600];

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await openBrowser();
  page = await browser.newPage();
});

afterAll(() => browser.close());

/** Shows a mail as a mail program does: as a part of its own page. */
async function show(html: string): Promise<void> {
  await page.setContent(html);
  await page.evaluate(() => {
    const main = document.createElement('main');
    main.append(...document.querySelectorAll('[role="article"]'));
    document.body.append(main);
  });
}

const NAME = 'Nacht-Bibliothek am alten Hafen';

// mails#kinds-of-mails
it.each(mailSamples())('the mail $kind is read in every look', async ({ kind, html, subject }) => {
  await show(html);
  expect(await page.title()).toBe(subject);
  await page.getByRole('link').last().focus();
  await takeDocsPicture(page, `mails/${kind}`);
  await expectEveryLook(page, `mail-${kind}`, WIDTHS);
});

// portal#look-of-a-project
it.each([
  ['#ffcc00', 'rgb(255, 204, 0)', 'rgb(0, 0, 0)'],
  ['#0a3d2a', 'rgb(10, 61, 42)', 'rgb(255, 255, 255)'],
])('a mail wears the colour %s, with a logo that is blocked, in German', async (accent, ground, ink) => {
  const [receipt] = mailSamples({
    language: 'de',
    look: { accent },
    // Nothing answers there, as where pictures are blocked.
    project: { name: NAME, logoUrl: 'https://localhost:9/logo.png' },
  });
  await show(receipt?.html ?? '');
  const button = page.getByRole('link', { name: 'Beleg ansehen' });
  expect(
    await button.evaluate((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color]),
  ).toEqual([ground, ink]);
  expect(await page.getByRole('img', { name: NAME }).isVisible()).toBe(true);
  await expectEveryLook(page, `mail-look-${accent.slice(1)}`, WIDTHS);
});
