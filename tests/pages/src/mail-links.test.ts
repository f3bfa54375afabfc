// Heavy: Chromium opens the link of every kind of mail, and does what the mail asks for.

import type { MailWire } from '@subrail/core/schemas';
import { RecordingMailer } from '@subrail/core/testing';
import {
  actionsOf,
  DAY,
  HOUR,
  PRICE,
  storedSubscription,
  submitCheckout,
  type IssuedCheckout,
} from '@subrail/test-world';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { mailSamples } from '../../../scripts/docs/mail-samples.js';
import {
  heading,
  isPaid,
  NAME,
  openScene,
  pay,
  press,
  review,
  shows,
  textOf,
  words,
  type Payer,
} from './scenarios/scene.js';

const mailer = new RecordingMailer();
const scene = openScene({ mailer });

/** A customer who subscribes on the first day, as all of them do, and named nothing but an email. */
interface Customer {
  readonly payer: Payer;
  readonly id: string;
}

interface Story {
  readonly kind: MailWire['kind'];
  /** What happened, where it does not follow from the kind. */
  readonly when?: string;
  /** When the link is opened, in days after the first payment. */
  readonly day: number;
  /** What the wallet holds after the first payment. Default: enough. */
  readonly left?: bigint;
  readonly plan?: 'season';
  /** What the customer does after the first payment. */
  readonly does?: (customer: Customer) => Promise<unknown>;
  /** What the customer does on that day. */
  readonly doesLater?: (customer: Customer) => Promise<unknown>;
  /** What the mail asks for, and the words of its button. */
  readonly says: RegExp;
  readonly button: string;
  /** What the page shows, and what the customer does there. */
  readonly page: (page: Page, customer: Customer) => Promise<unknown>;
}

const cancels = ({ payer, id }: Customer) => actionsOf(scene.world, payer.key, id).act('cancel');
const revokes = async ({ payer }: Customer) => (await scene.world.outside(payer.key)).revokeApproval();
const withdraws = async ({ payer }: Customer) => (await scene.world.outside(payer.key)).closeAuthority();

/** Tops the wallet up, and pays what was missed, without a signature. */
async function paysNow(page: Page, { payer }: Customer): Promise<void> {
  await shows(page, 'Payment missing');
  await shows(page, words.late.insufficient_balance);
  await shows(page, payer.key.address);
  await scene.world.give(payer.key, PRICE);
  const ordered = page.waitForResponse(/\/retry$/);
  await press(page, 'Pay 5 tokens now: Pro');
  await ordered;
  await scene.world.work();
  await shows(page, 'Paid. The subscription goes on.');
  await shows(page, 'Active');
}

/** Subscribes again to what has stopped or ended. */
async function comesBack(page: Page): Promise<void> {
  await press(page, 'Subscribe again: Pro');
  await review(page);
  await pay(page);
  await isPaid(page);
  await press(page, 'Show my subscriptions');
  await shows(page, 'Active');
}

async function closes(page: Page, plan: string): Promise<void> {
  await press(page, `Close and get the deposit back: ${plan}`);
  await press(page, NAME);
  await shows(page, 'Closed. Its deposit was returned.');
}

/** Closes what is in the way, and subscribes again. */
async function beginsAnew(page: Page): Promise<void> {
  await shows(page, words.closeFirst);
  const first = page.getByRole('article').getByRole('button').first();
  expect(await first.innerText()).toBe(words.actions.close);
  await closes(page, 'Pro');
  await expect.poll(() => textOf(page)).not.toContain(words.closeFirst);
  await comesBack(page);
}

/** Every kind, in the order of the days. */
const STORIES: readonly Story[] = [
  {
    kind: 'receipt',
    day: 0,
    says: /your payment of 5 tokens/,
    button: 'See your receipt',
    page: (page) => heading(page, 'Receipt 000001'),
  },
  {
    kind: 'cancelled',
    day: 0,
    does: cancels,
    says: /resume it before 31 January 2026, 02:00 UTC/,
    button: 'Resume',
    async page(page, { id }) {
      await shows(page, 'Cancelled');
      await shows(page, '31 January 2026 at 02:00');
      await press(page, 'Resume: Pro');
      await press(page, NAME);
      await shows(page, 'Resumed. It goes on as before you cancelled.');
      expect((await storedSubscription(scene.world, id)).status).toBe('active');
    },
  },
  {
    kind: 'plan_ends',
    day: 24,
    plan: 'season',
    says: /no charge follows\. Your access lasts until 31 January 2026, 01:00/,
    button: 'See your subscription',
    async page(page) {
      await shows(page, 'Active');
      await shows(page, words.nothingCharged);
      expect(await textOf(page)).toMatch(/Access until\s+31 January 2026 at 01:00\s+The plan ends\s+31/);
      expect(await textOf(page)).not.toContain('Next payment');
    },
  },
  {
    kind: 'renewal_ahead',
    day: 24,
    says: /renews on 31 January 2026, 02:00 UTC[^]+cancel before that date/,
    button: 'See your subscription',
    async page(page) {
      await shows(page, 'Active');
      expect(await textOf(page)).toMatch(/Active[^]+Next payment\s+5 tokens, 31 January 2026 at 02:00/);
      await page.getByRole('button', { name: 'Cancel: Pro' }).waitFor();
    },
  },
  {
    kind: 'cannot_pay',
    when: 'the wallet has too little',
    day: 29.2,
    left: PRICE - 1n,
    says: /Add 0\.000001 tokens to the wallet before then/,
    button: 'See your subscription',
    async page(page, { payer, id }) {
      await page.getByText('Top up the wallet').click();
      await shows(page, payer.key.address);
      await scene.world.give(payer.key, 1n);
      await until(30.1);
      await press(page, 'Refresh');
      await shows(page, '5 tokens, 2 March 2026 at 02:00');
      expect((await storedSubscription(scene.world, id)).status).toBe('active');
    },
  },
  {
    kind: 'ended',
    when: 'its plan is over',
    day: 30.1,
    plan: 'season',
    says: /You can close the subscription now, which returns its deposit/,
    button: 'See your subscription',
    async page(page) {
      await shows(page, 'Ended');
      await closes(page, 'Season');
    },
  },
  {
    kind: 'ended',
    when: 'it was cancelled',
    day: 30.1,
    does: cancels,
    says: /close the old subscription, which returns its deposit, and subscribe again/,
    button: 'Subscribe again',
    page: beginsAnew,
  },
  {
    kind: 'payment_failed',
    when: 'the wallet has too little',
    day: 30.1,
    left: 0n,
    says: /Add 5 tokens to the wallet, then pay now\. There is nothing to sign/,
    button: 'Pay now',
    page: paysNow,
  },
  {
    kind: 'payment_failed',
    when: 'the approval was taken back',
    day: 30.1,
    does: revokes,
    says: /Subscribe again once this subscription has stopped/,
    button: 'See your subscription',
    page: (page) => shows(page, /took back its approval\. Subscribe again once the subscription has stopped/),
  },
  {
    kind: 'cancelled',
    when: 'a payment was missing',
    day: 30.1,
    left: 0n,
    doesLater: cancels,
    says: /It cannot be resumed\. To come back, close it once it has ended/,
    button: 'See your subscription',
    async page(page) {
      await shows(page, 'Cancelled');
      expect(await textOf(page)).toMatch(/Cancelled[^]+Deposit back from\s+2 March 2026 at 02:00/);
      expect(await page.getByRole('button', { name: 'Resume: Pro' }).count()).toBe(0);
    },
  },
  {
    kind: 'stopped',
    when: 'the permission was withdrawn',
    day: 30.1,
    does: withdraws,
    says: /close this subscription, which returns its deposit, and subscribe again/,
    button: 'Subscribe again',
    page: beginsAnew,
  },
  {
    kind: 'last_try',
    day: 32.3,
    left: 0n,
    says: /Add 5 tokens to the wallet, then pay now[^]+The last try is on 3 February 2026/,
    button: 'Pay now',
    page: paysNow,
  },
  {
    kind: 'stopped',
    when: 'the wallet had too little',
    day: 33.4,
    left: 0n,
    says: /see that your wallet holds 5 tokens, and subscribe again/,
    button: 'Subscribe again',
    async page(page, { payer }) {
      await shows(page, words.stopped.out_of_retries);
      await scene.world.give(payer.key, PRICE);
      await comesBack(page);
    },
  },
  {
    kind: 'cannot_pay',
    when: 'the approval was taken back, and it has stopped',
    day: 33.4,
    does: revokes,
    says: /Subscribe again once this subscription has stopped: the wallet then approves/,
    button: 'See your subscription',
    page: comesBack,
  },
];

const nameOf = ({ kind, when = '' }: Story) => `${kind}${when === '' ? '' : `, where ${when}`}`;

let beganAt = 0;
const customers = new Map<Story, Customer>();

/** Works through the days, each half of one at once, and sends the mails. */
async function until(day: number): Promise<void> {
  const { world } = scene;
  const instant = beganAt + day * DAY;
  for (let now = world.now().getTime(); now < instant; now = world.now().getTime()) {
    world.advance(Math.min(12 * HOUR, instant - now));
    await world.work();
  }
  await world.billing.worker.sendMails();
}

/** The newest mail of a kind to a customer, as it was sent. */
async function mailOf({ id }: Customer, kind: MailWire['kind']): Promise<string> {
  const { data } = await scene.shop().mails.list({ subscription: id });
  const mail = data.find((one) => one.kind === kind);
  const sent = mailer.mails.filter((one) => one.id.startsWith(`${mail?.id}@`));
  expect(sent).toHaveLength(1);
  return sent[0]?.text ?? '';
}

beforeAll(async () => {
  const { world } = scene;
  const endsAt = new Date(Math.ceil(world.now().getTime() / 1_000) * 1_000 + 30 * DAY + HOUR);
  await world.publishPlan(world.projectId, 'season', { name: 'Season', ends_at: endsAt.toISOString() });
  // One period no longer fits before the end of that plan.
  world.advance(2 * HOUR);
  beganAt = world.now().getTime();
  for (const [index, story] of STORIES.entries()) {
    const { plan = 'pro', left = 9n * PRICE, does } = story;
    const payer = await scene.payer({ tokens: PRICE + left });
    const { body } = await world.call('POST', '/subscriptions', {
      plan,
      wallet: payer.key.address,
      email: `customer-${index}@example.com`,
    });
    const checkout = body as unknown as IssuedCheckout;
    expect((await submitCheckout(world, payer.key, checkout)).status).toBe(201);
    const customer = { payer, id: checkout.subscription.id };
    customers.set(story, customer);
    await does?.(customer);
  }
});

it('every kind of mail has a story', () => {
  const kinds = mailSamples().map(({ kind }) => kind);
  expect([...new Set(STORIES.map(({ kind }) => kind))].toSorted()).toEqual(kinds.toSorted());
});

// mails#link-of-a-mail, mails#kinds-of-mails
describe('the link of a mail leads to what it speaks of, and does what it asks for', () => {
  it.each(STORIES.map((story) => [nameOf(story), story] as const))('%s', async (_, story) => {
    const customer = customers.get(story);
    if (customer === undefined) throw new Error('The customer has not subscribed.');
    await until(story.day);
    await story.doesLater?.(customer);
    await until(story.day);
    const text = await mailOf(customer, story.kind);
    expect(text.replaceAll('\n', ' ')).toMatch(story.says);
    const [, button = '', link = ''] = /\n(.+):\n(http\S+)\n/.exec(text) ?? [];
    expect(button).toBe(story.button);
    const { pathname, hash } = new URL(link);
    await story.page(await scene.page(pathname + hash, customer.payer), customer);
  });
});
