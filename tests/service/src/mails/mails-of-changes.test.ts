import type { ProjectId } from '@subrail/core/ports';
import { RecordingMailer } from '@subrail/core/testing';
import {
  actionsOf,
  DAY,
  HOUR,
  MINUTE,
  openTestWorld,
  PRICE,
  storedSubscription,
  type TestWorld,
} from '@subrail/test-world';
import { describe, expect, it } from 'vitest';

import { mailsOf, openMailWorld, subscribeByMail } from './mail-world.js';

const MONTH = 30 * DAY;

const kinds = async (world: TestWorld) => (await mailsOf(world)).map(({ kind }) => kind);

/** Moves time on to an instant, with the work on the way every few hours. */
async function workTo(world: TestWorld, instant: number): Promise<void> {
  while (world.now().getTime() < instant) {
    world.advance(Math.min(6 * HOUR, instant - world.now().getTime()));
    await world.work();
  }
}

async function paidEndOf(world: TestWorld, id: string): Promise<number> {
  return (await storedSubscription(world, id)).paidPeriodEnd?.getTime() ?? NaN;
}

// mails#kinds-of-mails, mails#one-mail-per-change, mails#reminders
describe('the mails of a subscription', () => {
  it('are a receipt for each payment and a reminder a week before each renewal', async () => {
    const world = await openMailWorld();
    const { id, wallet } = await subscribeByMail(world);
    const paidEnd = await paidEndOf(world, id);
    await workTo(world, paidEnd + MINUTE);
    const mails = await mailsOf(world);
    expect(mails.map(({ kind, createdAt }) => [kind, createdAt.getTime()])).toEqual([
      ['receipt', expect.any(Number)],
      ['renewal_ahead', paidEnd - 7 * DAY],
      ['receipt', expect.any(Number)],
    ]);
    const [first, ahead, second] = mails;
    const start = new Date(paidEnd);
    expect(first?.facts).toMatchObject({ amount: PRICE, periodEnd: start, dueAt: start, reason: null });
    expect(ahead).toMatchObject({ email: 'ada@example.com', subscriptionId: id, eventId: null });
    expect(ahead?.facts).toMatchObject({ amount: PRICE, dueAt: start, reason: null });
    const events = await world.storedEvents();
    expect(second?.eventId).toBe(events.find(({ type }) => type === 'subscription.renewed')?.id);
    expect(second?.facts).toMatchObject({ periodStart: start, periodEnd: new Date(paidEnd + MONTH) });
    expect(await world.holding(wallet)).toBe(8n * PRICE);
  });

  it('say what is missing, why each try failed, which is the last, and that it stopped', async () => {
    const world = await openMailWorld();
    const { id, wallet } = await subscribeByMail(world);
    const paidEnd = await paidEndOf(world, id);
    await world.take(wallet, 8n * PRICE + 1n);
    await workTo(world, paidEnd + 4 * DAY);
    const [, , missing, ...failed] = await mailsOf(world);
    expect(missing?.kind).toBe('cannot_pay');
    expect(missing?.createdAt.getTime()).toBeCloseTo(paidEnd - DAY, -4);
    expect(missing?.facts).toMatchObject({ missing: 1n, reason: 'insufficient_balance' });
    expect(failed.map(({ kind, facts }) => [kind, facts.missing, facts.retriesLeft])).toEqual([
      ['payment_failed', 1n, 3],
      ['payment_failed', 1n, 2],
      ['last_try', 1n, 1],
      ['stopped', 1n, null],
    ]);
    expect(failed.map(({ facts }) => facts.dueAt && (facts.dueAt.getTime() - paidEnd) / DAY)).toEqual([
      ...[1, 2, 3].map((day) => expect.closeTo(day, 2) as number),
      null,
    ]);
    expect(failed.at(-1)?.facts.reason).toBe('insufficient_balance');
  });

  it('remind nobody who can pay by then', async () => {
    const world = await openMailWorld({ periodHours: 168 });
    const { id } = await subscribeByMail(world);
    await workTo(world, (await paidEndOf(world, id)) - MINUTE);
    expect(await kinds(world)).toEqual(['receipt']);
  });

  it('remind whom only a call charges, on Free, though the wallet can pay', async () => {
    const mailer = new RecordingMailer();
    const world = await openMailWorld({ tier: 'free' }, mailer);
    const { id, wallet } = await subscribeByMail(world);
    const paidEnd = await paidEndOf(world, id);
    await world.take(wallet, 9n * PRICE);
    await workTo(world, paidEnd + DAY);
    await world.give(wallet, 9n * PRICE);
    await workTo(world, paidEnd + 40 * DAY);
    const late = (await mailsOf(world)).slice(-3);
    expect(late.map(({ kind, facts }) => [kind, facts.reason, facts.byHand])).toEqual([
      ['payment_failed', 'insufficient_balance', true],
      ['last_try', null, true],
      ['stopped', 'retry_deadline_passed', false],
    ]);
    await world.billing.worker.sendMails();
    expect(mailer.mails.find(({ subject }) => subject.startsWith('Without'))?.text).toMatch(
      /is missing\.[^]*Nothing is charged on its own[^]*\nPay now:/,
    );
  });

  it('tell of a cancellation and of its end', async () => {
    const world = await openMailWorld();
    const { id, wallet } = await subscribeByMail(world);
    const paidEnd = await paidEndOf(world, id);
    await (await world.outside(wallet)).cancel();
    await workTo(world, paidEnd + DAY);
    const mails = await mailsOf(world);
    expect(mails.map(({ kind, facts }) => [kind, facts.reason, facts.dueAt?.getTime()])).toEqual([
      ['receipt', null, paidEnd],
      ['cancelled', null, paidEnd],
      ['ended', 'cancelled', undefined],
    ]);
  });

  it('tell of one cancellation a day, however often the wallet cancels and resumes', async () => {
    const world = await openMailWorld();
    const { id, wallet } = await subscribeByMail(world);
    const { act } = actionsOf(world, wallet, id);
    for (const wait of [HOUR, HOUR, DAY]) {
      await act('cancel');
      world.advance(wait);
      await act('resume');
    }
    await act('cancel');
    expect(await kinds(world)).toEqual(['receipt', 'cancelled', 'cancelled']);
  });

  it('tell that the plan ends before the next charge, and that it ended', async () => {
    const world = await openMailWorld({ endsAfter: 55 * DAY });
    const { id } = await subscribeByMail(world);
    await workTo(world, (await paidEndOf(world, id)) + 26 * DAY);
    const mails = await mailsOf(world);
    expect(mails.map(({ kind }) => kind)).toEqual([
      'receipt',
      'renewal_ahead',
      'receipt',
      'plan_ends',
      'ended',
    ]);
    const endsAt = (await world.plan('pro')).endsAt?.getTime();
    expect(mails[3]?.createdAt.getTime()).toBeCloseTo((endsAt ?? 0) - 7 * DAY, -4);
    expect(mails[3]?.facts.dueAt?.getTime()).toBe(endsAt);
  });

  it('say nothing of what is blocked, and nothing to whom has no email', async () => {
    const world = await openMailWorld();
    const { id, wallet } = await subscribeByMail(world);
    await world.subscribe(await world.wallet(10n * PRICE), 'customer-2');
    const paidEnd = await paidEndOf(world, id);
    await workTo(world, paidEnd - HOUR);
    await (await world.outside(wallet)).removeCharger();
    await workTo(world, paidEnd + 2 * DAY);
    expect(await kinds(world)).toEqual(['receipt', 'renewal_ahead']);
    expect((await storedSubscription(world, id)).blockedReason).toBe('puller_not_allowed');
  });
});

// mails#kinds-that-a-project-turns-off
it('writes no mail of a kind that the project turned off', async () => {
  const world = await openMailWorld();
  const projectId = world.projectId as ProjectId;
  await world.store.saveMailSettings({ projectId, off: ['receipt'], replyTo: null, language: null });
  const { id } = await subscribeByMail(world);
  await workTo(world, (await paidEndOf(world, id)) + MINUTE);
  expect(await kinds(world)).toEqual(['renewal_ahead']);
});

// mails#reminder-after-its-date
it('makes a reminder ten minutes later when the chain did not answer', async () => {
  const world = await openMailWorld({ periodHours: 168 });
  const { id, wallet } = await subscribeByMail(world);
  const paidEnd = await paidEndOf(world, id);
  await world.take(wallet, 9n * PRICE);
  await workTo(world, paidEnd - DAY - MINUTE);
  world.injectFaults(() => ({
    readCharges: (targets) =>
      Promise.resolve(targets.map(() => ({ ok: false, unavailable: { kind: 'transport' } }))),
  }));
  world.advance(2 * MINUTE);
  await world.work();
  world.clearFaults();
  expect(await kinds(world)).toEqual(['receipt']);
  world.advance(10 * MINUTE);
  await world.work();
  expect(await kinds(world)).toEqual(['receipt', 'cannot_pay']);
});

// mails#mail-written-with-its-change
it('writes a mail with its change or not at all', async () => {
  const world = await openMailWorld();
  const { id } = await subscribeByMail(world);
  const { version } = await storedSubscription(world, id);
  const [mail] = await mailsOf(world);
  expect(mail).toMatchObject({ state: 'pending', attempts: 0, firstAttemptAt: null });
  const result = await world.store.commit([
    {
      ...{ attempts: [], transfers: [], events: [], deliveries: [], movements: [], signedTerms: null },
      subscription: { ...(await storedSubscription(world, id)), version },
      mails: mail === undefined ? [] : [{ ...mail, id: 'eml_000000000000000000000000' as typeof mail.id }],
    },
  ]);
  expect(result).toBe('lost');
  expect(await mailsOf(world)).toHaveLength(1);
});

it('writes no mails and reminds nobody without a mailer', async () => {
  const world = await openTestWorld();
  const { id } = await subscribeByMail(world);
  await workTo(world, (await paidEndOf(world, id)) + MINUTE);
  expect(await mailsOf(world)).toEqual([]);
  expect((await storedSubscription(world, id)).reminderNotBefore).toBeNull();
});

it('refuses a mailer without the address of its sender, and the other way round', async () => {
  const both = /needs the port "mailer" and the setting "mailFrom" together/;
  await expect(openTestWorld({ ports: { mailer: new RecordingMailer() } })).rejects.toThrow(both);
  await expect(openTestWorld({ ports: { settings: { mailFrom: 'a@b.example' } } })).rejects.toThrow(both);
});
