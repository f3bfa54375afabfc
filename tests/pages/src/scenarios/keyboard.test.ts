// Heavy: Chromium pays, changes the plan and cancels by Tab, Enter and Space alone.

import { ENGLISH } from '@subrail/browser';
import { PRICE } from '@subrail/test-world';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { focusedText } from '../focused-text.js';
import { heading, NAME, openScene, shows, words } from './scene.js';

const scene = openScene();

/** The name of what has the focus, also inside of custom elements; `BODY` when nothing has it. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let active = document.activeElement;
    while (active?.shadowRoot?.activeElement != null) active = active.shadowRoot.activeElement;
    if (active === null || active === document.body) return 'BODY';
    const label = active instanceof HTMLInputElement ? active.labels?.[0]?.textContent : null;
    return (active.getAttribute('aria-label') ?? label ?? active.textContent).replace(/\s+/g, ' ').trim();
  });

/** Goes on by Tab to what has a name. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 20; steps += 1) {
    await page.keyboard.press('Tab');
    const now = await focused(page);
    if (now.startsWith(name)) return;
    expect(now).not.toBe('BODY');
  }
  throw new Error(`Tab did not lead to "${name}".`);
}

/** Waits for the heading of a step, to which the focus has gone. */
async function expectFocusAt(page: Page, name: string): Promise<void> {
  await heading(page, name);
  await expect.poll(() => focused(page)).toBe(name);
}

it('pays for another plan than the first', async () => {
  const { world } = scene;
  await world.publishPlan(world.projectId, 'team', { name: 'Team', amount: (2n * PRICE).toString() });
  const payer = await scene.payer({ asks: true });
  const path = await scene.checkoutPath({ plan: undefined, plans: ['pro', 'team'], ask_email: true });
  const page = await scene.page(path, payer);
  await heading(page, words.chooseWallet);
  await page.getByRole('button', { name: NAME }).waitFor();
  await tabTo(page, 'Pro');
  await page.keyboard.press('ArrowDown');
  await heading(page, words.subscribeTo('Team'));
  expect(await focused(page)).toMatch(/^Team/);
  await tabTo(page, NAME);
  await page.keyboard.press('Space');
  await expectFocusAt(page, words.review);
  // Back to the first plan, and to the other one again.
  for (const plan of ['Pro', 'Team']) {
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toBe(words.otherPlans);
    await page.keyboard.press('Enter');
    await tabTo(page, plan);
    await page.keyboard.press('Enter');
    await heading(page, words.subscribeTo(plan));
    await expectFocusAt(page, words.review);
  }
  await tabTo(page, words.email);
  await page.keyboard.type('ada');
  await page.keyboard.press('Enter');
  await shows(page, ENGLISH.problems.invalid_email);
  expect(await focused(page)).toBe(words.email);
  await page.keyboard.type('@example.com');
  await tabTo(page, words.pay('10 tokens'));
  await page.keyboard.press('Space');
  await expectFocusAt(page, words.signTerms(NAME));
  payer.approve();
  await expectFocusAt(page, words.signPayment(NAME));
  // The question is left, and asked again.
  await tabTo(page, words.back);
  await page.keyboard.press('Enter');
  await expectFocusAt(page, words.review);
  await tabTo(page, words.pay('10 tokens'));
  await page.keyboard.press('Enter');
  await expectFocusAt(page, words.signPayment(NAME));
  payer.approve();
  await expectFocusAt(page, words.complete('Team'));
  await scene.expectPaidOnce(payer, 10n * PRICE, 2n * PRICE);
  expect((await scene.paidOf(payer.key)).map(({ email }) => email)).toEqual(['ada@example.com']);
});

it('cancels, and resumes', async () => {
  const payer = await scene.payer({ asks: true });
  await scene.world.subscribe(payer.key, 'keyboard');
  const page = await scene.page(await scene.portalPath({ external_id: 'keyboard' }), payer);
  await page.getByRole('article', { name: 'Pro' }).waitFor();
  const { actionOf, actions } = words;
  const cancel = async () => {
    await tabTo(page, actionOf(actions.cancel, 'Pro'));
    await page.keyboard.press('Space');
    await expect.poll(() => focused(page)).toBe(words.keep);
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toBe(words.cancel);
    await page.keyboard.press('Enter');
  };
  await cancel();
  await expectFocusAt(page, actionOf(actions.cancel, 'Pro'));
  await page.getByRole('button', { name: NAME }).waitFor();
  await tabTo(page, NAME);
  await page.keyboard.press('Enter');
  await shows(page, words.acting.signing);
  await tabTo(page, words.back);
  await page.keyboard.press('Enter');
  await page.getByRole('article', { name: 'Pro' }).waitFor();
  await expectFocusAt(page, words.subscriptions);
  await cancel();
  await shows(page, words.acting.signing);
  payer.approve();
  await page.getByRole('button', { name: actionOf(actions.resume, 'Pro') }).waitFor();
  expect(await focusedText(page)).toMatch(/^Cancelled\./);
  await tabTo(page, actionOf(actions.resume, 'Pro'));
  await page.keyboard.press('Enter');
  await shows(page, words.acting.signing);
  payer.approve();
  await page.getByRole('button', { name: actionOf(actions.cancel, 'Pro') }).waitFor();
  expect(await focusedText(page)).toMatch(/^Resumed\./);
});
