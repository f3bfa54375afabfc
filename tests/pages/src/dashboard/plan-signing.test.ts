// Heavy: Chromium signs changes of plans with wallets of the test.

import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { sendTransaction, signTransaction } from '@subrail/localnet';
import { DAY } from '@subrail/test-world';
import { refuseRequests, switchAccounts, type BrowserWallet, type WalletAccount } from '@subrail/testing';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { accountOf } from '../account-of.js';
import { expectEveryLook } from '../every-look.js';
import { holdCalls } from '../hold-calls.js';
import { heading, press, shows } from '../scenarios/scene.js';
import { openDesk } from './desk.js';

const desk = openDesk({ basePath: '/billing' });

const NAME = 'Owner Wallet';

let made = 0;

/** A draft, of the owner of the world's plans unless another one is given. */
async function newDraft(owner: KeyPairSigner = desk.world.owner) {
  const name = `Plan ${String.fromCharCode(97 + made++)}`;
  const { token } = desk.world;
  return desk
    .shop()
    .plans.create({ name, owner: owner.address, mint: token.mint, amount: '5000000', period_hours: 24 });
}

/** The wallet of the owner. `signs` comes before it signs. */
function ownerWallet(more: Partial<BrowserWallet> = {}, signs?: () => Promise<void>): BrowserWallet {
  const account = accountOf(desk.world.owner);
  const asking: WalletAccount = {
    ...account,
    async signTransaction(transaction) {
      await signs?.();
      return account.signTransaction(transaction);
    },
  };
  return { name: NAME, accounts: [asking], ...more };
}

const openPlan = async (slug: string, ...wallets: readonly BrowserWallet[]) => {
  const page = await desk.enter(`plans/${slug}`, { wallets });
  await heading(page, /^Plan /);
  return page;
};

const inDialog = (page: Page, name: string | RegExp) =>
  page.getByRole('dialog').getByRole('button', { name }).click();

const statusOf = async (slug: string) => (await desk.shop().plans.detail(slug)).status;

/** Counts what the page sends to be sent. */
function countSubmits(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => (count += Number(request.url().endsWith('/submit'))));
  return () => count;
}

// dashboard#signing-of-a-plan
it('publishes a plan, which its owner reads in words before, by keyboard alone', async () => {
  const { slug, name } = await newDraft();
  const page = await openPlan(slug, ownerWallet());
  // What finds wallets is loaded now, and not before.
  const loads = page.waitForRequest(/dashboard-wallets\.js/);
  const isLoaded = () =>
    page.evaluate(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('dashboard-wallets')),
    );
  expect(await isLoaded()).toBe(false);
  await page.getByRole('button', { name: 'Publish' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Publish the plan' });
  const withWallet = dialog.getByRole('button', { name: `Publish with ${NAME}` });
  await withWallet.waitFor();
  await loads;
  const said = await dialog.innerText();
  for (const text of [name, '5 tokens every day', '5000000 in the smallest unit', desk.world.owner.address])
    expect(said).toContain(text);
  expect(said).toContain('stay as they are for good');
  await expectEveryLook(page, 'dashboard-plan-sign');
  for (
    let presses = 0;
    presses < 10 && !(await withWallet.evaluate((one) => one === document.activeElement));
    presses += 1
  )
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await shows(page, 'The plan is published.');
  await shows(page, 'On sale');
  expect(await statusOf(slug)).toBe('active');
});

// dashboard#signing-of-a-plan
it('asks for the wallet of the owner, and signs once it is that one', async () => {
  const { slug } = await newDraft();
  const stranger = accountOf(await desk.world.wallet(0n));
  const page = await openPlan(slug, ownerWallet({ accounts: [stranger, accountOf(desk.world.owner)] }));
  const isSubmitted = countSubmits(page);
  await press(page, 'Publish');
  await inDialog(page, `Publish with ${NAME}`);
  await shows(page, `${NAME} gave the account ${stranger.address}, which does not own this plan.`);
  await shows(page, `Choose the account ${desk.world.owner.address} in the wallet`);
  expect(isSubmitted()).toBe(0);
  await switchAccounts(page, NAME, [desk.world.owner.address]);
  await refuseRequests(page, NAME);
  await inDialog(page, `Publish with ${NAME}`);
  await shows(page, `${NAME} did not allow it.`);
  await refuseRequests(page, NAME, false);
  await inDialog(page, `Publish with ${NAME}`);
  await shows(page, 'The plan is published.');
  expect(isSubmitted()).toBe(1);
});

// dashboard#signing-of-a-plan
it('signs again what was signed too late', async () => {
  const { slug } = await newDraft();
  let isSlow = true;
  const wallet = ownerWallet({}, async () => {
    if (isSlow) desk.world.advance(5 * 60_000);
    isSlow = false;
  });
  const page = await openPlan(slug, wallet);
  await press(page, 'Publish');
  await inDialog(page, `Publish with ${NAME}`);
  await shows(page, 'It has not arrived in time, and can no longer arrive: nothing was changed.');
  await expectEveryLook(page, 'dashboard-plan-expired');
  await inDialog(page, 'Sign again');
  await inDialog(page, `Publish with ${NAME}`);
  await shows(page, 'The plan is published.');
});

// dashboard#signing-of-a-plan
it('sends nothing that the chain would refuse', async () => {
  const owner = await generateKeyPairSigner();
  const { slug } = await newDraft(owner);
  const page = await openPlan(slug, { name: NAME, accounts: [accountOf(owner)] });
  await press(page, 'Publish');
  await inDialog(page, `Publish with ${NAME}`);
  await shows(page, 'The chain would refuse this transaction');
  await inDialog(page, 'Close');
  // It is settled, so every other action is offered again.
  await press(page, 'Discard the draft');
  await inDialog(page, 'Discard the draft');
  await shows(page, 'The draft is discarded.');
});

/** How far a change is when its page is closed, and how often the page sends it afterwards. */
const CLOSED = [
  ['signed and not sent', '**/submit', 1],
  ['landed and not confirmed', '**/publish/confirm', 0],
] as const;

// dashboard#signing-of-a-plan
it.each(CLOSED)(
  'goes on with what was %s when the page was closed, and signs nothing twice',
  async (_, lost, sends) => {
    const { slug } = await newDraft();
    let signed = 0;
    const page = await openPlan(
      slug,
      ownerWallet({}, async () => void (signed += 1)),
    );
    await page.route(lost, (route) => route.abort());
    await press(page, 'Publish');
    await inDialog(page, `Publish with ${NAME}`);
    await page.waitForRequest(lost);
    await page.reload();
    await page.unroute(lost);
    await shows(page, 'was signed in this browser, and is not confirmed');
    // Nothing else is offered that would be signed.
    expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0);
    const submits = countSubmits(page);
    await press(page, 'Go on');
    await shows(page, 'The plan is published.');
    expect([signed, submits()]).toEqual([1, sends]);
    expect(await statusOf(slug)).toBe('active');
  },
);

// dashboard#signing-of-a-plan
it('looks again while the outcome is not known', async () => {
  const { slug } = await newDraft();
  const { rpc } = desk.world;
  // A wallet that sends by itself, and says that it failed.
  const sending = ownerWallet({
    send: async (transaction) => {
      await sendTransaction(rpc, transaction);
      throw new Error('The connection to the wallet was lost.');
    },
  });
  const page = await openPlan(slug, sending);
  await press(page, 'Publish');
  await inDialog(page, `Publish with ${NAME}`);
  await shows(page, 'Whether it arrived is not known yet');
  await inDialog(page, 'Look again');
  await shows(page, 'The plan is published.');
});

// dashboard#signing-of-a-plan
it('signs again what a wallet said it sent, once that can no longer arrive', async () => {
  const { slug } = await newDraft();
  let isLost = true;
  const sending = ownerWallet({
    send: async (transaction) => {
      if (!isLost) await sendTransaction(desk.world.rpc, transaction);
      isLost = false;
    },
  });
  const page = await openPlan(slug, sending);
  await page.clock.install();
  const shownWithin = async (text: string) => {
    while (!(await page.getByText(text).isVisible())) await page.clock.runFor(5_000);
  };
  await press(page, 'Publish');
  await inDialog(page, `Publish with ${NAME}`);
  await shownWithin('Solana does not show it yet.');
  await page.clock.runFor(180_000);
  await inDialog(page, 'Look again');
  await shownWithin('It has not arrived in time');
  await inDialog(page, 'Sign again');
  await inDialog(page, `Publish with ${NAME}`);
  await shownWithin('The plan is published.');
});

// dashboard#signing-of-a-plan
it('keeps what was signed later, when the wallet that was asked before refuses at last', async () => {
  const { slug } = await newDraft();
  const slow = 'Slow Wallet';
  let refuse = (_: Error) => {};
  const sending = ownerWallet({ name: slow, send: () => new Promise((_, reject) => (refuse = reject)) });
  const page = await openPlan(slug, sending, ownerWallet());
  await page.clock.install();
  const shownWithin = async (text: string) => {
    while (!(await page.getByText(text).isVisible())) await page.clock.runFor(5_000);
  };
  const kept = () => page.evaluate(() => Object.entries(localStorage).find(([key]) => key.includes('plan:')));
  // The person declines, by the code that wallets have for it.
  await page.evaluate(() => {
    const page = window as unknown as Record<string, (...values: readonly string[]) => Promise<unknown>>;
    const sign = page['subrailTestWalletSign'];
    page['subrailTestWalletSign'] = async (...values) =>
      sign?.(...values).catch(() => {
        document.body.dataset['refused'] = 'yes';
        throw Object.assign(new Error('User rejected the request.'), { code: 4001 });
      });
  });
  await press(page, 'Publish');
  await inDialog(page, `Publish with ${slow}`);
  await shows(page, `${slow} asks you to sign.`);
  await inDialog(page, 'Close');
  await shows(page, 'was signed in this browser, and is not confirmed');
  await page.clock.runFor(180_001);
  await press(page, 'Go on');
  await shownWithin('It has not arrived in time');
  await inDialog(page, 'Sign again');
  await page.route('**/submit', (route) => route.abort());
  const submitted = page.waitForRequest('**/submit');
  await inDialog(page, `Publish with ${NAME}`);
  await submitted;
  const later = await kept();
  expect(later).toBeDefined();
  refuse(new Error('Refused.'));
  await page.locator('body[data-refused]').waitFor({ state: 'attached' });
  expect(await kept()).toEqual(later);
  await page.unroute('**/submit');
  await shownWithin('Solana does not show it yet.');
  await inDialog(page, 'Look again');
  await shownWithin('The plan is published.');
});

// dashboard#signing-of-a-plan
it('goes by what another tab keeps, and by what this browser could not keep', async () => {
  const { slug, id } = await newDraft();
  const page = await openPlan(slug);
  const dialog = page.getByRole('dialog');
  const key = `subrail:plan:${id}`;
  const write = (text: string) =>
    page.evaluate(([name, value]) => localStorage.setItem(name, value), [key, text] as const);
  const kept = () => page.evaluate((name) => localStorage.getItem(name), key);
  // Of a shape that no release wrote.
  await write('{"change":"publish","at":0}');
  await page.reload();
  await press(page, 'Publish');
  await inDialog(page, 'Sign elsewhere');
  const transaction = await signTransaction(
    desk.world.owner,
    (await dialog.locator('pre').textContent()) ?? '',
  );
  const other = { change: { step: 'publish' }, transaction, at: 5, isSent: false };
  await write(JSON.stringify(other));
  const submits = countSubmits(page);
  let sent = '';
  await page.route('**/submit', async (route) => {
    sent = (await kept()) ?? '';
    await route.abort();
  });
  const submitted = page.waitForRequest('**/submit');
  await inDialog(page, 'It is sent');
  expect((await submitted).postDataJSON()).toEqual({ transaction });
  expect(JSON.parse((await kept()) ?? '')).toEqual({ ...other, isSent: true });
  // The call is seen before what was kept at it is read.
  await expect.poll(() => sent).not.toBe('');
  expect([JSON.parse(sent), submits()]).toEqual([{ ...other, isSent: true }, 1]);
  // A browser that is full keeps what was there, and the page goes by what it knows.
  await write(JSON.stringify(other));
  await page.reload();
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Full.', 'QuotaExceededError');
    };
  });
  const again = page.waitForRequest('**/submit');
  await press(page, 'Go on');
  await again;
  await inDialog(page, 'Close');
  await sendTransaction(desk.world.rpc, transaction);
  await page.unroute('**/submit');
  const before = submits();
  await press(page, 'Go on');
  await shows(page, 'The plan is published.');
  expect(submits()).toBe(before);
  // Another tab settles it after this page was read.
  await page.reload();
  await write(JSON.stringify({ ...other, isSent: true }));
  await page.reload();
  await page.getByRole('button', { name: 'Go on' }).waitFor();
  await page.evaluate((name) => localStorage.removeItem(name), key);
  await press(page, 'Go on');
  await shows(page, 'The plan is published.');
  expect(submits()).toBe(before);
});

// dashboard#signing-of-a-plan
it('settles nothing in a dialog that was left, and says it once it goes on', async () => {
  const { slug } = await newDraft();
  const page = await openPlan(slug, ownerWallet());
  const confirm = '**/publish/confirm';
  const release = await holdCalls(page, confirm);
  const submits = countSubmits(page);
  await press(page, 'Publish');
  const looks = page.waitForRequest(confirm);
  await inDialog(page, `Publish with ${NAME}`);
  await looks;
  await inDialog(page, 'Close');
  const looked = page.waitForResponse(confirm);
  release();
  expect((await looked).ok()).toBe(true);
  await press(page, 'Go on');
  await shows(page, 'The plan is published.');
  expect(submits()).toBe(1);
});

// dashboard#signing-of-a-plan
it('ends a plan, takes nobody new, changes who may charge, and deletes it', async () => {
  const { world } = desk;
  const { slug } = await newDraft();
  const page = await openPlan(slug, ownerWallet());
  const dialog = page.getByRole('dialog');
  await press(page, 'Publish');
  await inDialog(page, `Publish with ${NAME}`);
  await shows(page, 'The plan is published.');

  const end = async (step: string, days: number, act: string) => {
    await press(page, step);
    const at = new Date(world.now().getTime() + days * DAY).toISOString().slice(0, 16);
    await dialog.getByLabel('Ends, in your time').fill(at);
    await inDialog(page, 'Go on to signing');
    await inDialog(page, `${act} with ${NAME}`);
    return `${at}:00.000Z`;
  };
  const shortened = await end('Set an end', 90, 'End');
  await shows(page, 'The end of the plan is set.');
  expect((await desk.shop().plans.detail(slug)).ends_at).toBe(shortened);

  const another = await world.wallet(0n);
  await press(page, 'Change who may charge');
  await dialog.getByLabel('May charge').fill(`${world.charger.address}, ${another.address}`);
  await inDialog(page, 'Go on to signing');
  await inDialog(page, `Change with ${NAME}`);
  await shows(page, 'Who may charge is changed.');
  expect((await desk.shop().plans.detail(slug)).pullers).toEqual([world.charger.address, another.address]);

  const sunset = await end('Take nobody new', 60, 'Sunset');
  await shows(page, 'The plan takes nobody new.');
  expect(await desk.shop().plans.detail(slug)).toMatchObject({ status: 'sunset', ends_at: sunset });

  await press(page, 'Delete from Solana');
  await inDialog(page, `Delete with ${NAME}`);
  await shows(page, 'can be deleted after that');
  await inDialog(page, 'Leave it');
  world.advance(61 * DAY);
  // The log-in is over by then.
  const later = await openPlan(slug, ownerWallet());
  await press(later, 'Delete from Solana');
  await inDialog(later, `Delete with ${NAME}`);
  await shows(later, 'The plan is deleted.');
  expect(await statusOf(slug)).toBe('closed');
});

// dashboard#signing-of-a-plan
it('takes the owner of a draft from a wallet, and publishes it with that', async () => {
  const { world } = desk;
  const page = await desk.enter('plans', { wallets: [ownerWallet()] });
  const dialog = page.getByRole('dialog');
  await press(page, 'Create a plan');
  await dialog.getByLabel('Name').fill('Of a wallet');
  await dialog.getByLabel('Owner').fill('');
  await inDialog(page, 'Take it from a wallet');
  await inDialog(page, `Take the account of ${NAME}`);
  await expect.poll(() => dialog.getByLabel('Owner').inputValue()).toBe(world.owner.address);
  await dialog.getByLabel('Price in whole tokens').fill('0.5');
  await inDialog(page, 'Create a plan');
  await heading(page, 'Of a wallet');
  await press(page, 'Publish');
  await inDialog(page, `Publish with ${NAME}`);
  await shows(page, 'The plan is published.');
  expect(await desk.shop().plans.detail('of-a-wallet')).toMatchObject({ amount: '500000', status: 'active' });
});

// dashboard#signing-of-a-plan
it('shows the transaction to sign elsewhere, where no wallet is in the browser', async () => {
  const { slug } = await newDraft();
  const page = await openPlan(slug);
  const dialog = page.getByRole('dialog');
  await press(page, 'Publish');
  await shows(page, 'This browser has no wallet.');
  await inDialog(page, 'Sign elsewhere');
  const transaction = (await dialog.locator('pre').textContent()) ?? '';
  await sendTransaction(desk.world.rpc, await signTransaction(desk.world.owner, transaction));
  await inDialog(page, 'It is sent');
  await shows(page, 'The plan is published.');
});
