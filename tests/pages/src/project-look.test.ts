// Heavy: Chromium looks at two projects at every width and in both colour schemes.

import { expect, it } from 'vitest';
import { expectEveryLook } from './every-look.js';
import { openScene, heading, review } from './scenarios/scene.js';

const scene = openScene();

const LOGO = `data:image/svg+xml;base64,${Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><script>top.hit = 1</script><rect width="8" height="8" rx="2" fill="#ffcc00"/></svg>',
).toString('base64')}`;

// portal#look-of-a-project
it.each([
  ['#ffcc00', 'rgb(255, 204, 0)', 'rgb(0, 0, 0)'],
  ['#0a3d2a', 'rgb(10, 61, 42)', 'rgb(255, 255, 255)'],
])('wears the colour %s and the logo of the project, and is read in every look', async (accent, ...shown) => {
  await scene.shop().updateLook({ accent, logo: LOGO });
  const payer = await scene.payer();
  const page = await scene.page(await scene.checkoutPath(), payer);
  await review(page);
  const button = page.getByRole('button', { name: /^Subscribe and pay/ });
  expect(
    await button.evaluate((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color]),
  ).toEqual(shown);
  expect(await page.locator('[part~="avatar"]').getAttribute('src')).toBe(LOGO);
  await expectEveryLook(page, `look-${accent.slice(1)}-checkout`);
  await page.goto(`${scene.pages.url}${await scene.portalPath({ external_id: 'nobody' })}`);
  await heading(page, 'Your subscriptions');
  await expectEveryLook(page, `look-${accent.slice(1)}-portal`);
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
});
