import type { Mail, MailOutcome, Mailer, OutgoingMail, ProjectId } from '@subrail/core/ports';
import { RecordingMailer } from '@subrail/core/testing';
import { DAY, HOUR, MINUTE, PRICE, type TestWorld } from '@subrail/test-world';
import { describe, expect, it } from 'vitest';

import { pageOf } from '../customers/customer-pages.js';
import { FROM, mailsOf, openMailWorld, subscribeByMail } from './mail-world.js';

const ACCEPTED: MailOutcome = { kind: 'accepted' };
// A mailer may pass on whatever a server says, and no database stores every character.
const GREYLISTED: MailOutcome = { kind: 'deferred', reason: 'The server\u0000 answered 450.' };
const DOWN: MailOutcome = { kind: 'unreachable', reason: 'The server does not answer.' };

/** A world with one receipt that waits, and a mailer whose outcomes are taken from a list, then accepted. */
async function openWaiting(...outcomes: readonly MailOutcome[]) {
  const left = [...outcomes];
  const mailer = new RecordingMailer(() => left.shift() ?? ACCEPTED);
  const world = await openMailWorld({}, mailer);
  const subscribed = await subscribeByMail(world);
  return { world, ...subscribed, mailer, send: () => world.billing.worker.sendMails() };
}

/** The address of the portal in the first mail. */
const linkOf = ({ mails: [mail] }: RecordingMailer): string =>
  /http:\S+#chs_\w+/.exec(mail?.text ?? '')?.[0] ?? '';

async function subscribeReaders(world: TestWorld, count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    await subscribeByMail(world, {
      email: `reader-${n}@example.com`,
      wallet: await world.wallet(2n * PRICE),
    });
}

/** A world with receipts that wait, and a mailer that accepts some at once and the others when told to. */
async function openBacklog(count: number, { atOnce }: { readonly atOnce: number }) {
  let accept = (): void => undefined;
  const accepting = new Promise<MailOutcome>((resolve) => {
    accept = () => resolve(ACCEPTED);
  });
  const mailer: RecordingMailer = new RecordingMailer(() =>
    mailer.mails.length <= atOnce ? ACCEPTED : accepting,
  );
  const world = await openMailWorld({}, mailer);
  await subscribeReaders(world, count);
  return { world, mailer, accept };
}

async function prune({ billing }: TestWorld): Promise<void> {
  while (!(await billing.worker.prune()).finished);
}

async function onlyMail(world: TestWorld): Promise<Mail> {
  const [mail, ...others] = await mailsOf(world);
  if (mail === undefined || others.length > 0) throw new Error('There is not one mail.');
  return mail;
}

const alertsOf = async (world: TestWorld) => (await world.billing.metrics()).alerts.map(({ key }) => key);

describe('a mail', () => {
  it('is sent at once, from the project, to the email of the subscription', async () => {
    const { world, mailer, send } = await openWaiting();
    expect(await send()).toEqual({ sent: 1, failed: 0, refused: 0, left_out: 0, retrying: 0 });
    const { id, attempts, state, settledAt } = await onlyMail(world);
    expect({ attempts, state, settledAt }).toEqual({ attempts: 1, state: 'sent', settledAt: world.now() });
    expect(mailer.mails).toEqual([
      expect.objectContaining({
        id: `${id}@night-library.example`,
        from: { name: 'Night Library', address: FROM },
        to: 'ada@example.com',
        replyTo: null,
      }),
    ]);
    expect(await send()).toMatchObject({ sent: 0 });
    expect((await world.billing.metrics()).mails).toEqual([{ kind: 'receipt', result: 'sent', count: 1 }]);
  });

  // mails#link-of-a-mail
  it('has a link that opens the portal of its subscription alone for 30 days', async () => {
    const { world, mailer, send } = await openWaiting();
    await world.subscribe(await world.wallet(PRICE), 'customer-1');
    await send();
    const page = pageOf(world, linkOf(mailer));
    expect(mailer.mails[0]?.html).toContain(linkOf(mailer));
    expect(await page.view()).toMatchObject({
      ...{ kind: 'portal', state: 'open', customer: { email: null, known: false } },
      subscriptions: [{ status: 'active' }],
    });
    world.advance(30 * DAY + HOUR);
    expect(await page.view()).toMatchObject({ state: 'expired' });
  });

  // mails#link-of-a-mail
  it('has a link by which the customer subscribes again as the same customer', async () => {
    const { world, wallet, mailer, send } = await openWaiting();
    await (await world.outside(wallet)).closeAuthority();
    world.advance(30 * DAY);
    await world.work();
    await send();
    const page = pageOf(world, linkOf(mailer));
    const id = await page.pay(await world.wallet(PRICE));
    expect((await world.call('GET', `/subscriptions/${id}`)).body).toMatchObject({
      status: 'active',
      external_id: 'customer-1',
      email: 'ada@example.com',
    });
  });

  // mails#link-of-a-mail, mails#customer-with-another-email
  it('opens nothing once the customer has another email, and is not sent there any more', async () => {
    const { world, id, mailer, send } = await openWaiting();
    await send();
    const page = pageOf(world, linkOf(mailer));
    await subscribeByMail(world, { wallet: await world.wallet(PRICE) });
    const shop = world.billing.project(world.projectId);
    for (const { id: one } of (await shop.subscriptions.search({})).data)
      await shop.subscriptions.update(one, { email: 'bob@example.com', external_id: 'customer-2' });
    expect(await page.view()).toMatchObject({ subscriptions: [] });
    expect((await page.call('GET', `/subscriptions/${id}`)).status).toBe(404);
    expect(await send()).toMatchObject({ left_out: 1, sent: 0 });
    const [mail] = (await shop.mails.list({ state: 'left_out' })).data;
    expect(mail?.last_error).toBe('The customer has another email now.');
    await expect(shop.mails.resend(mail?.id ?? '')).rejects.toMatchObject({ code: 'conflict' });
  });

  // mails#kinds-of-mails, mails#link-of-a-mail
  it('says the number of its receipt, and leads to it', async () => {
    const { world, mailer, send } = await openWaiting();
    await send();
    const [payment] = (await world.billing.project(world.projectId).payments.list()).data;
    expect(payment?.receipt_number).toBe('000001');
    expect(mailer.mails[0]?.text).toContain('\nReceipt: 000001\n');
    const ends = [...(mailer.mails[0]?.text ?? '').matchAll(/#chs_\w+(\S*)/g)].map(([, end]) => end);
    expect(ends).toEqual([`/${payment?.id}`]);
  });

  // mails#explorer-of-a-payment
  it('leads to its payment in an explorer on devnet, and on a local chain nowhere', async () => {
    const hash = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';
    const ofDevnet = await openWaiting();
    ofDevnet.world.injectFaults(() => ({
      readGenesis: async () => ({ ok: true, value: { hash, network: 'devnet' } }),
    }));
    const local = await openWaiting();
    for (const [{ send, mailer }, expected] of [
      [ofDevnet, 1],
      [local, 0],
    ] as const) {
      await send();
      const links = mailer.mails[0]?.text.match(/explorer\.solana\.com\/tx\/\w+\?cluster=devnet/g) ?? [];
      expect(links).toHaveLength(expected);
    }
  });

  // mails#order-of-tries, mails#same-message-at-every-try
  it('is tried again after 1, 5, 30 and 120 minutes and every 6 hours, and given up after a day', async () => {
    const { world, mailer, send } = await openWaiting(...Array<MailOutcome>(20).fill(GREYLISTED));
    const waits: number[] = [];
    const begun = world.now().getTime();
    await send();
    for (let mail = await onlyMail(world); mail.nextAttemptAt !== null; mail = await onlyMail(world)) {
      const wait = mail.nextAttemptAt.getTime() - world.now().getTime();
      world.advance(wait - 1_000);
      expect(await send()).toMatchObject({ retrying: 0, failed: 0 });
      world.advance(1_000);
      await send();
      waits.push(wait / MINUTE);
    }
    expect(waits).toEqual([1, 5, 30, 120, 360, 360, 360]);
    const mail = await onlyMail(world);
    expect(mail).toMatchObject({ state: 'failed', attempts: 8, lastError: 'The server answered 450.' });
    expect(world.now().getTime() - begun).toBeLessThan(DAY);
    expect(new Set(mailer.mails.map(({ id }) => id)).size).toBe(1);
    expect(await alertsOf(world)).toEqual(['mails_given_up']);
    world.advance(DAY + HOUR);
    expect(await alertsOf(world)).toEqual([]);

    const projectId = world.projectId as ProjectId;
    await world.store.resendMail(projectId, mail.id, world.now());
    world.log.forgiveErrors('');
    await send();
    expect(await onlyMail(world)).toMatchObject({ attempts: 1, state: 'pending' });
  });

  // mails#same-message-at-every-try
  it('is sent again with the same id when the process died before it was noted', async () => {
    const died = new Error('The process died.');
    const { world, mailer } = await openWaiting();
    const store = {
      ...world.store,
      settleMail: () => Promise.reject(died),
    };
    const dying = world.host(store);
    await expect(dying.billing.worker.sendMails()).rejects.toThrow(died);
    world.forgiveErrors('A pass of the worker failed');
    await world.billing.worker.sendMails();
    expect(mailer.mails).toHaveLength(1);
    world.advance(2 * MINUTE);
    await world.billing.worker.sendMails();
    expect(mailer.mails).toHaveLength(2);
    expect(mailer.mails[1]?.id).toBe(mailer.mails[0]?.id);
    expect(await onlyMail(world)).toMatchObject({ state: 'sent', attempts: 1 });
  });

  it('leaves once when several hosts send at once', async () => {
    const { world, mailer } = await openWaiting();
    await subscribeReaders(world, 30);
    const other = world.host(world.store);
    const passes = await Promise.all([world.billing.worker.sendMails(), other.billing.worker.sendMails()]);
    expect(passes.reduce((sum, { sent }) => sum + sent, 0)).toBe(31);
    expect(new Set(mailer.mails.map(({ id }) => id)).size).toBe(31);
    expect(mailer.mails).toHaveLength(31);
  });

  // mails#same-message-at-every-try
  it('that waits is left to the next pass when the worker is stopped, and those in flight end first', async () => {
    const { world, mailer, accept } = await openBacklog(12, { atOnce: 0 });
    const stop = new AbortController();
    const pass = world.billing.worker.passes().find(({ name }) => name === 'mails');
    const stopped = pass?.run(stop.signal);
    await expect.poll(() => mailer.mails.length).toBe(5);
    stop.abort();
    accept();
    expect(await stopped).toMatchObject({ sent: 5 });
    expect(await world.billing.worker.sendMails()).toMatchObject({ sent: 7 });
    expect(new Set(mailer.mails.map(({ id }) => id)).size).toBe(12);
    expect(mailer.mails).toHaveLength(12);
  });

  // clocks#watch-of-the-passes
  it('of a backlog is progress of its pass, which goes on', async () => {
    const { world, mailer, accept } = await openBacklog(6, { atOnce: 5 });
    let fails = true;
    const { billing } = world.host({
      ...world.store,
      claimMails: (...args) =>
        fails ? Promise.reject(new Error('disk full')) : world.store.claimMails(...args),
    });
    const openAlerts = async () => (await billing.metrics()).alerts.map(({ key }) => key);
    await expect(billing.worker.sendMails()).rejects.toThrow('disk full');
    expect(await openAlerts()).toContain('pass_failing:mails');
    fails = false;
    const pass = billing.worker.sendMails();
    await expect.poll(() => mailer.mails.length).toBe(6);
    expect(await openAlerts()).not.toContain('pass_failing:mails');
    accept();
    expect(await pass).toMatchObject({ sent: 6 });
    world.forgiveErrors('A pass of the worker failed');
  });

  it('that cannot be made holds up no other and is tried again', async () => {
    const faulty: Mailer = {
      send: ({ to }: OutgoingMail) =>
        to.startsWith('ada')
          ? Promise.reject(new Error('A fault of the adapter.'))
          : Promise.resolve(ACCEPTED),
    };
    const world = await openMailWorld({}, faulty);
    await subscribeByMail(world);
    await subscribeByMail(world, { email: 'bob@example.com', wallet: await world.wallet(PRICE) });
    expect(await world.billing.worker.sendMails()).toMatchObject({ sent: 1, retrying: 1 });
    world.forgiveErrors('A mail could not be made');
  });
});

// mails#order-of-tries
it('a read of a project that failed costs no mail a try but those that were tried then', async () => {
  const { world, accept } = await openBacklog(12, { atOnce: 12 });
  accept();
  let reads = 0;
  const { billing } = world.host({
    ...world.store,
    findProject: (id) =>
      (reads += 1) === 1 ? Promise.reject(new Error('disk full')) : world.store.findProject(id),
  });
  const { sent, retrying } = await billing.worker.sendMails();
  expect(sent + retrying).toBe(12);
  expect(sent).toBeGreaterThanOrEqual(7);
  expect(retrying).toBeGreaterThan(0);
  world.forgiveErrors('A mail could not be made');
});

// mails#mail-written-with-its-change
it('a project that is renamed during a pass has its new name in the mails that follow', async () => {
  const { world, mailer, accept } = await openBacklog(12, { atOnce: 0 });
  const pass = world.billing.worker.sendMails();
  await expect.poll(() => mailer.mails.length).toBe(5);
  const project = await world.store.findProject(world.projectId as ProjectId);
  if (project !== null) await world.store.updateProject({ ...project, name: 'Day Library' });
  accept();
  await pass;
  expect(mailer.mails.map(({ from: { name } }) => name)).toEqual([
    ...Array<string>(5).fill('Night Library'),
    ...Array<string>(7).fill('Day Library'),
  ]);
});

// mails#refused-address
it('sets an address aside that is refused for good, and sends nothing more to it', async () => {
  const refused: MailOutcome = { kind: 'refused', reason: 'The server answered 550 5.1.1.' };
  const { world, mailer, send } = await openWaiting(refused);
  const projectId = world.projectId as ProjectId;
  expect(await send()).toMatchObject({ refused: 1 });
  expect(await world.store.listRefusedAddresses(projectId, 10)).toEqual([
    { projectId, address: 'ada@example.com', reason: refused.reason, refusedAt: world.now() },
  ]);
  await subscribeByMail(world, { wallet: await world.wallet(PRICE) });
  expect(await send()).toMatchObject({ left_out: 1, sent: 0 });
  expect(mailer.mails).toHaveLength(1);
  await world.store.acceptAddress(projectId, 'ada@example.com');
  await subscribeByMail(world, { wallet: await world.wallet(PRICE) });
  expect(await send()).toMatchObject({ sent: 1 });
});

// mails#mail-server-that-fails
it('tries nothing for a minute after the mail server failed, and alerts until it takes mails again', async () => {
  const { world, mailer, send } = await openWaiting(DOWN, DOWN, DOWN);
  expect(await send()).toMatchObject({ retrying: 1 });
  expect(await alertsOf(world)).toEqual(['mail_server_failing']);
  await subscribeByMail(world, { email: 'bob@example.com', wallet: await world.wallet(PRICE) });
  await send();
  expect(mailer.mails).toHaveLength(1);
  world.advance(MINUTE);
  expect(await send()).toMatchObject({ retrying: 2 });
  world.advance(MINUTE);
  expect(await send()).toMatchObject({ sent: 2 });
  expect(await alertsOf(world)).toEqual([]);
  world.forgiveErrors('The mail server does not answer');
});

// clocks#dates-of-a-clock-that-was-ahead
describe('a mail that waits', () => {
  it.each([3 * HOUR, DAY])('by a clock that was %d ms ahead is sent a minute later', async (aheadMs) => {
    const { world, send } = await openWaiting();
    const now = world.now();
    await world.store.claimMails(now, 1, new Date(now.getTime() + aheadMs));
    await prune(world);
    world.advance(45_000);
    expect(await send()).toMatchObject({ sent: 0 });
    await prune(world);
    expect(await send()).toMatchObject({ sent: 1 });
  });

  it.each(['its next try', 'the process that sends it'])('for %s goes on waiting', async (what) => {
    const { world, mailer, send } = await openWaiting(...Array<MailOutcome>(9).fill(GREYLISTED));
    const isTried = what === 'its next try';
    for (const wait of isTried ? [0, 1, 5, 30, 120] : []) {
      world.advance(wait * MINUTE);
      await send();
    }
    await prune(world);
    world.advance(45_000);
    const now = world.now();
    if (!isTried) await world.store.claimMails(now, 1, new Date(now.getTime() + 2 * MINUTE));
    const waiting = await onlyMail(world);
    await prune(world);
    expect(await onlyMail(world)).toEqual(waiting);
    expect(mailer.mails).toHaveLength(isTried ? 5 : 0);
  });
});

// mails#retention-of-mails
it('deletes a mail 30 days after it was settled, and none that waits', async () => {
  const { world, send } = await openWaiting();
  await send();
  world.advance(29 * DAY);
  await prune(world);
  expect(await mailsOf(world)).toHaveLength(1);
  world.advance(2 * DAY);
  await subscribeByMail(world, { email: 'bob@example.com', wallet: await world.wallet(PRICE) });
  await prune(world);
  expect((await mailsOf(world)).map(({ email }) => email)).toEqual(['bob@example.com']);
});
