// Heavy: Chromium meets every code that the calls of a change can answer.

import { ENGLISH } from '@subrail/browser';
import { sendTransaction } from '@subrail/localnet';
import { DAY, PRICE, storedSubscription } from '@subrail/test-world';
import { switchAccounts } from '@subrail/testing';
import type { Base64EncodedWireTransaction } from '@solana/kit';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { accountOf } from '../account-of.js';
import {
  type CallName,
  filledIn,
  type Refusal,
  type RefusedPage,
  refusalsOf,
  refusedPage,
  type Told,
} from './refusals.js';
import { agree, NAME, openScene, type Payer, press, steps, words } from './scene.js';

const scene = openScene({ trustedProxies: 1 });

/** The number of pages that meet refusals at once, each from an address of its own. */
const FLOWS = 4;

const SHOP = 'https://shop.example/account';

type Action = keyof typeof ENGLISH.done;

/** The refused calls of each action. A code that several calls of a line answer is met at the first. */
const LINES: readonly Readonly<Partial<Record<Action, CallName>>>[] = [
  { cancel: 'cancel', resume: 'resume', close: 'close' },
  { cancel: 'cancel/confirm', resume: 'resume/confirm', close: 'close/confirm' },
  { cancel: 'send' },
  { retry: 'retry' },
];

/** The status of a subscription before each action and after it. */
const STATUSES: Readonly<Record<Action, readonly [before: string, after: string]>> = {
  cancel: ['active', 'cancelled'],
  resume: ['cancelled', 'active'],
  close: ['ended', 'ended'],
  retry: ['unpaid', 'active'],
};

/** A subscription whose change meets a refusal. */
interface Row {
  readonly action: Action;
  readonly refusal: Refusal;
  readonly payer: Payer;
  readonly id: string;
}

const nameOf = ({ refusal: { call, code } }: Pick<Row, 'refusal'>) => `${call} ${code}`;

async function subscribed(action: Action, refusal: Refusal): Promise<Row> {
  const payer = await scene.payer({ tokens: PRICE });
  const { subscriptions } = scene.shop();
  const account = accountOf(payer.key);
  const made = await subscriptions.create({
    plan: 'pro',
    wallet: account.address,
    external_id: account.address,
  });
  const { id } = made.subscription;
  await subscriptions.submit(id, {
    transaction: await account.signTransaction(made.transaction),
    terms_signature: (await account.signMessage(made.terms.message)) as string,
  });
  return { action, refusal, payer, id };
}

async function cancel({ id, payer }: Row): Promise<void> {
  const { subscriptions } = scene.shop();
  const { transaction } = await subscriptions.cancel(id);
  const signed = await accountOf(payer.key).signTransaction(transaction);
  const signature = await sendTransaction(scene.world.rpc, signed as Base64EncodedWireTransaction);
  await subscriptions.confirmCancel(id, { signature });
}

let rows: readonly Row[];

beforeAll(async () => {
  const wanted: { readonly action: Action; readonly refusal: Refusal }[] = [];
  for (const line of LINES) {
    const met = new Set<string>();
    for (const [action, call] of Object.entries(line) as [Action, CallName][])
      for (const refusal of await refusalsOf(scene.pages.url, call)) {
        const name = `${refusal.code} ${refusal.status === 201}`;
        if (!met.has(name)) wanted.push({ action, refusal });
        met.add(name);
      }
  }
  const make = (action: Action) =>
    Promise.all(
      wanted.filter((one) => one.action === action).map(({ refusal }) => subscribed(action, refusal)),
    );
  const { world } = scene;
  const [closes, retries] = [await make('close'), await make('retry')];
  await Promise.all(closes.map(cancel));
  world.advance(31 * DAY);
  await world.work();
  const [cancels, resumes] = [await make('cancel'), await make('resume')];
  await Promise.all(resumes.map(cancel));
  for (const { payer } of retries) await world.give(payer.key, PRICE);
  rows = [...cancels, ...resumes, ...closes, ...retries];
});

/** The sentence for whoever asks again for what Solana has done already. */
const IS_THERE: Readonly<Record<Action, string>> = {
  cancel: ENGLISH.changes.subscription_cancelled,
  resume: ENGLISH.changes.subscription_not_cancelled,
  close: ENGLISH.problems.subscription_not_on_chain,
  retry: ENGLISH.problems.subscription_not_late,
};

/** A page that looks for the charge that it ordered once `charged` is over. */
interface ChangingPage extends RefusedPage {
  charged: Promise<void>;
}

let working: Promise<void> = Promise.resolve();

/** Orders a charge by a click, and makes it, one page after the other. */
async function charge(changing: ChangingPage, click: () => Promise<void>) {
  let end: () => void = () => undefined;
  changing.charged = new Promise((resolve) => (end = resolve));
  await click();
  await changing.page.getByText(words.acting.confirming).first().waitFor();
  working = working.then(() => scene.world.work());
  await working.finally(end);
}

/** Presses the button of an action, and says yes where it asks. */
async function order(page: Page, action: Action) {
  const name = action === 'retry' ? words.payNow('5 tokens') : words.actions[action];
  await press(page, words.actionOf(name, 'Pro'));
  if (action === 'cancel') await agree(page);
}

/** Follows the step that a problem names. Returns whether the change was made now, before, or not at all. */
async function follow(refused: ChangingPage, row: Row, { next, ways }: Told) {
  const { page } = refused;
  const { action } = row;
  if (next === 'go_back') {
    await page
      .getByRole('link', { name: ENGLISH.backTo('Night Library') })
      .first()
      .click();
    await page.waitForURL(SHOP);
    return 'away';
  }
  // Without a button of its own, all that is left is to ask for the same again.
  const click = async () => {
    const again = words.actionOf(steps[next], words.actions[action]);
    const name = ways.find((way) => way === steps[next] || way === again);
    if (name === undefined) await order(page, action);
    else await page.getByRole('button', { name, exact: true }).click();
  };
  await (action === 'retry' ? charge(refused, click) : click());
  const done = page.getByText(ENGLISH.done[action]);
  await done.or(page.getByText(IS_THERE[action])).first().waitFor();
  return (await done.count()) > 0 ? 'done' : 'there';
}

/** Changes a subscription on a page that meets a refusal on the way. */
async function meetOn(refused: ChangingPage, row: Row): Promise<void> {
  const { page, meet } = refused;
  const { action, refusal, payer, id } = row;
  const { call, code } = refusal;
  const [before, after] = STATUSES[action];
  const path = await scene.portalPath({ subscription: id, return_url: SHOP });
  const begin = async () => {
    // Another fragment alone loads no page.
    await page.goto(scene.pages.url + path.replace('#', `?${encodeURIComponent(nameOf(row))}#`));
    await switchAccounts(page, NAME, [payer.key.address]);
    await order(page, action);
    if (action !== 'retry') await press(page, NAME);
  };
  const told = await meet(refusal, begin, ENGLISH.done[action]);
  if (told === null) throw new Error('The page did not say it.');
  // A send that may have arrived is looked for on Solana, which has no such transaction.
  expect(call === 'send' ? [code, 'transaction_expired'] : [code]).toContain(told.code);
  const changes: Readonly<Record<string, string>> = ENGLISH.changes;
  const sentence = filledIn(changes[told.code] ?? ENGLISH.problems[told.code], told);
  const says = [sentence, ENGLISH.mayLand].filter((one) => told.notice.includes(one));
  expect(says, told.notice).not.toEqual([]);
  const end = await follow(refused, row, told);
  const { status } = await storedSubscription(scene.world, id);
  // The service may have read on Solana meanwhile what is there.
  expect({ done: [after], there: [before, after], away: [before] }[end]).toContain(status);
  // The charge of a missed period costs something once, and no other change does.
  const isCharged = action !== 'retry' || end === 'done';
  expect(await scene.world.holding(payer.key)).toBe(isCharged ? 0n : PRICE);
}

/** Lets several pages at once meet these, each on an address of its own. */
async function meetAll(all: readonly Row[], flows: number): Promise<void> {
  await Promise.all(
    Array.from({ length: flows }, async (_, flow) => {
      const own = all.filter((__, index) => index % flows === flow);
      const accounts = own.flatMap(({ payer }) => payer.wallet.accounts);
      const { page } = await scene.open('/pages/style.css', [{ name: NAME, accounts }], {
        extraHTTPHeaders: { 'X-Forwarded-For': `203.0.113.${flow + 1}` },
      });
      await page.route('https://shop.example/**', (route) => route.fulfill({ body: 'Welcome back!' }));
      const refused: ChangingPage = {
        ...(await refusedPage(page, (id) => scene.shop().subscriptions.retrieve(id))),
        charged: Promise.resolve(),
      };
      await page.route(/\/subscriptions\/sub_\w+$/, async (route) => {
        await refused.charged;
        await route.fallback();
      });
      for (const row of own)
        await meetOn(refused, row).catch((error: unknown) => {
          throw new Error(`${nameOf(row)} was not met as it should be.`, { cause: error });
        });
    }),
  );
}

// portal#routes-of-a-customer, cancel-page#when-the-page-says-that-nothing-was-changed
it.each(LINES.map((line) => Object.values(line)).map((calls) => ({ names: calls.join(', '), calls })))(
  'leads from every code of $names to the change or away',
  async ({ calls }) => {
    await meetAll(
      rows.filter(({ refusal }) => calls.includes(refusal.call)),
      // Time moves on while the service looks on Solana for what was not sent.
      calls.includes('send') ? 1 : FLOWS,
    );
  },
);
