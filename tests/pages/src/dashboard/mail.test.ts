// Heavy: Chromium looks at every kind of mail in the dashboard.

import type { MailOutcome, ProjectId } from '@subrail/core/ports';
import { MailKind } from '@subrail/core/schemas';
import { RecordingMailer } from '@subrail/core/testing';
import { PRICE, submitCheckout, type IssuedCheckout } from '@subrail/test-world';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectEveryLook } from '../every-look.js';
import { heading, press, shows } from '../scenarios/scene.js';
import { takeDocsPicture } from '../screenshots.js';
import { openDesk, rowsOf, settled } from './desk.js';

const HOSTILE = '<img src=x onerror="window.parent.hit=1">';

const outcomes: MailOutcome[] = [];
const mailer = new RecordingMailer(() => outcomes.shift() ?? { kind: 'accepted' });
const desk = openDesk({ mailer });

/** The ground of the mail in the frame, and its text. */
const mailIn = async (page: Page) => {
  const mail = page.frameLocator('iframe.mail').getByRole('article');
  await expect.poll(() => mail.getAttribute('style')).not.toBeNull();
  return {
    ground: await mail.evaluate((one) => getComputedStyle(one).backgroundColor),
    text: await mail.innerText(),
  };
};

// dashboard#mail
it('says how mails are switched on, and shows every kind before that', async () => {
  const { world } = desk;
  const { mailer: given, settings } = world.billing.service;
  Object.assign(world.billing.service, { mailer: null, settings: { ...settings, mailFrom: null } });
  const page = await desk.enter('mail');
  await heading(page, /^Mail$/);
  await shows(page, 'Customers get no mails');
  await shows(page, 'SUBRAIL_SMTP_URL=');
  expect(await page.getByRole('button', { name: 'Send a test' }).count()).toBe(0);
  await expectEveryLook(page, 'dashboard-mail-off');
  Object.assign(world.billing.service, { mailer: given, settings });
  await page.reload();
  await shows(page, 'Customers get mails');
});

// dashboard#mail
it('changes what customers get, and sends a test', async () => {
  const page = await desk.enter('mail');
  const dialog = page.getByRole('dialog');
  const receipt = (checked: boolean) => page.getByRole('switch', { name: 'Receipt', checked });
  await receipt(true).click();
  await shows(page, 'Receipt is off from the next mail on.');
  await receipt(false).click();
  await shows(page, 'Receipt is on from the next mail on.');
  await press(page, 'Change');
  await dialog.getByLabel('Answers go to').fill('help@shop.example');
  await dialog.getByLabel('Language').selectOption('German');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await shows(page, 'The mails are changed.');
  expect(await desk.shop().mails.settings()).toMatchObject({
    ...{ off: [], reply_to: 'help@shop.example', language: 'de' },
  });
  const test = async (sentence: string | RegExp) => {
    await press(page, 'Send a test');
    await dialog.getByLabel('To').fill('desk@shop.example');
    await dialog.getByRole('button', { name: 'Send a test' }).click();
    await shows(page, sentence);
  };
  await test('The mail server took the test over.');
  expect(mailer.mails).toEqual([expect.objectContaining({ to: 'desk@shop.example' })]);
  outcomes.push({ kind: 'unreachable', reason: 'The server does not answer.' });
  await test('The mail server did not take the test over. The server does not answer.');
  await desk.shop().mails.updateSettings({ reply_to: null, language: 'en' });
});

// dashboard#mail
it('shows each kind of mail in both schemes and languages, and keeps hostile names text', async () => {
  const { world } = desk;
  const { name } = await desk.shop().detail();
  await desk.shop().update({ name: HOSTILE, logo_url: 'https://localhost:9/logo.png' });
  const page = await desk.enter(`mail/preview/${MailKind.options[0]}`, { isOwn: true });
  for (const kind of MailKind.options) {
    await page.goto(`${desk.pages.url}/dashboard${desk.hash(`mail/preview/${kind}?look=light`)}`);
    await settled(page);
    const light = await mailIn(page);
    expect(light.ground).toBe('rgb(255, 255, 255)');
    expect(light.text).toContain(HOSTILE);
    await page.getByRole('link', { name: 'Dark' }).click();
    await page.waitForURL(/look=dark/);
    await settled(page);
    await expect.poll(async () => (await mailIn(page)).ground).toBe('rgb(24, 27, 33)');
  }
  expect(await page.evaluate(() => 'hit' in window)).toBe(false);
  await page.getByRole('link', { name: 'German' }).click();
  await page.locator('.filters a[aria-current="true"]:text-is("German")').waitFor();
  await settled(page);
  await expect.poll(async () => (await mailIn(page)).text).toContain('Ihr Tarif endet bald');
  await desk.shop().update({ name, logo_url: null });
  await page.reload();
  await settled(page);
  await expectEveryLook(page, 'dashboard-mail-preview', [390, 1280]);
  await page.goto(`${desk.pages.url}/dashboard${desk.hash('mail/preview/payment_failed?look=light')}`);
  await heading(page, 'Payment failed, as it reads');
  await mailIn(page);
  await takeDocsPicture(page, 'dashboard-mail', { width: 1100, height: 760 });
  expect(world.log.entries.filter(({ level }) => level === 'error')).toEqual([]);
});

/** Subscribes a new wallet by this email. */
async function subscribe(email: string): Promise<string> {
  const { world } = desk;
  const wallet = await world.wallet(10n * PRICE);
  const { body } = await world.call('POST', '/subscriptions', {
    ...{ plan: 'pro', wallet: wallet.address, external_id: 'ada', email },
  });
  const checkout = body as unknown as IssuedCheckout;
  await submitCheckout(world, wallet, checkout);
  return checkout.subscription.id;
}

// dashboard#mail
it('lists mails with what became of them, accepts an address again, and sends again', async () => {
  const { world } = desk;
  const reason = `550 ${HOSTILE}: no such user`;
  const id = await subscribe('ada@example.com');
  await world.store.refuseAddress({
    ...{ projectId: world.projectId as ProjectId, address: 'ada@example.com', reason },
    refusedAt: world.now(),
  });
  await world.billing.worker.sendMails();
  const reading = await desk.enter('mail', { access: 'read' });
  await shows(reading, 'This key may only read.');
  expect(await reading.getByRole('switch').count()).toBe(0);
  expect(await reading.getByRole('button', { name: /Accept|test|Change/ }).count()).toBe(0);

  const page = await desk.enter('mail');
  expect(await rowsOf(page, 'Mails, newest first')).toEqual([
    ['Receipt', 'ada@example.com', `Left out ${reason}`, expect.any(String), '—'],
  ]);
  expect((await rowsOf(page, /^Addresses/))[0]?.[0]).toBe(`ada@example.com The server said: ${reason}`);
  await expectEveryLook(page, 'dashboard-mail');
  await page.getByRole('button', { name: 'Accept again: ada@example.com' }).click();
  await shows(page, 'Mails to ada@example.com are sent again.');
  await page.locator('.filters').getByRole('link', { name: 'Left out' }).click();
  await settled(page);
  await page.getByRole('rowheader').getByRole('link', { name: 'Receipt' }).last().click();
  await heading(page, 'Receipt, as it reads');
  expect((await mailIn(page)).text).toContain('Your payment has arrived');
  await expectEveryLook(page, 'dashboard-mail-one', [390, 1280]);
  await press(page, 'Send it again');
  await shows(page, 'It is sent again within seconds.');
  await world.billing.worker.sendMails();
  await page.reload();
  await shows(page, 'Sent');
  expect(mailer.mails.at(-1)).toMatchObject({ to: 'ada@example.com' });
  await page.getByRole('link', { name: 'To the subscription' }).click();
  await heading(page, 'ada');
  expect(await rowsOf(page, 'Mails')).toEqual([
    ['Receipt', 'ada@example.com', 'Sent', expect.any(String), '—'],
  ]);
  expect(page.url()).toContain(id);
});
