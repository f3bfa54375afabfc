import type { ProjectBilling, ServiceError } from '@subrail/core';
import { createManager } from '@subrail/core/client';
import type { MailOutcome, ProjectId } from '@subrail/core/ports';
import { MailKind, type MailLocale } from '@subrail/core/schemas';
import { RecordingMailer, withCapabilities } from '@subrail/core/testing';
import { openTestWorld, type TestWorld } from '@subrail/test-world';
import { describe, expect, it } from 'vitest';
import { FROM, giveUpMails, openMailWorld, subscribeByMail } from '../mails/mail-world.js';

interface Desk {
  readonly world: TestWorld;
  readonly mailer: RecordingMailer;
  /** The project over HTTP, with a key that may change. */
  readonly shop: ProjectBilling;
}

async function openDesk(respond?: () => MailOutcome): Promise<Desk> {
  const mailer = new RecordingMailer(respond);
  const world = await openMailWorld({ store: 'sqlite' }, mailer);
  const { key } = await world.billing.management.createKey({ name: 'Desk', access: 'write' });
  const options = { url: 'https://billing.test', key, fetch: world.billing.handler, maxRetries: 0 };
  return { world, mailer, shop: createManager(options).project(world.projectId) };
}

/** The code and the sentence of a refusal. */
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error: unknown) => `${(error as ServiceError).code}: ${(error as ServiceError).message}`,
  );

const newest = async (shop: ProjectBilling) => (await shop.mails.list({ limit: 1 })).data[0];

// mails#settings-of-mails
describe('the settings of mails', () => {
  it('are every kind, in English, until they are changed a field at a time', async () => {
    const { shop, world } = await openDesk();
    const fresh = { from: FROM, lacks: null, off: [], reply_to: null, language: 'en' };
    expect(await shop.mails.settings()).toEqual(fresh);
    const off = ['ended', 'receipt', 'ended'] as const;
    const fewer = { ...fresh, off: ['receipt', 'ended'] };
    expect(await shop.mails.updateSettings({ off: [...off] })).toEqual(fewer);
    const german = { ...fewer, reply_to: 'help@shop.example', language: 'de' };
    const changes = { reply_to: 'Help@Shop.example', language: 'de' } as const;
    expect(await shop.mails.updateSettings(changes)).toEqual(german);
    expect(await shop.mails.updateSettings({})).toEqual(german);
    await subscribeByMail(world);
    expect((await shop.mails.list()).data).toEqual([]);
    expect(await shop.mails.updateSettings({ off: [], reply_to: null })).toEqual({
      ...fresh,
      language: 'de',
    });
  });

  it('are refused with what a field must be', async () => {
    const { shop } = await openDesk();
    expect(await refusal(shop.mails.updateSettings({ language: 'fr' as MailLocale }))).toMatch(
      /must be one of en, de/,
    );
    expect(await refusal(shop.mails.updateSettings({ off: ['gift' as MailKind] }))).toMatch(
      /must be one of receipt, renewal_ahead/,
    );
    expect(await refusal(shop.mails.updateSettings({ reply_to: 'a@b.c\r\nBcc: d@e.f' }))).toMatch(
      /must be an email address/,
    );
  });
});

// management#mail-functions
describe('the mails of a project', () => {
  it('are listed newest first, by state and by subscription, in pages', async () => {
    const { world, shop } = await openDesk();
    const first = await subscribeByMail(world);
    await giveUpMails(world);
    world.advance(1_000);
    const second = await subscribeByMail(world, { email: 'eve@example.com' });
    const { data } = await shop.mails.list();
    expect(data).toEqual([
      expect.objectContaining({
        ...{ kind: 'receipt', subscription: second.id, email: 'eve@example.com', state: 'pending' },
        ...{ attempts: 0, last_error: null, settled_at: null },
      }),
      expect.objectContaining({
        ...{ subscription: first.id, email: 'ada@example.com', state: 'failed', next_attempt_at: null },
        ...{ last_error: 'Greylisted.' },
      }),
    ]);
    expect((await shop.mails.list({ state: 'failed' })).data).toEqual([data[1]]);
    expect((await shop.mails.list({ subscription: second.id })).data).toEqual([data[0]]);
    const page = await shop.mails.list({ limit: 1 });
    expect(page).toEqual({ data: [data[0]], has_more: true });
    expect(await shop.mails.list({ limit: 1, starting_after: data[0]?.id ?? '' })).toEqual({
      ...{ data: [data[1]], has_more: false },
    });
    expect(await refusal(shop.mails.list({ starting_after: 'eml_unknown' }))).toMatch(/^invalid_request/);
    const { id } = await world.billing.projects.create({ name: 'Other' });
    const other = world.billing.project(id);
    expect((await other.mails.list()).data).toEqual([]);
    expect(await refusal(other.mails.retrieve(data[0]?.id ?? ''))).toMatch(/^not_found: No mail of this/);
  });

  // mails#mail-that-is-read
  it('read as they were sent, with a button that leads nowhere', async () => {
    const { world, mailer, shop } = await openDesk();
    await subscribeByMail(world);
    await world.billing.worker.sendMails();
    const mail = await shop.mails.retrieve((await newest(shop))?.id ?? '');
    const [sent] = mailer.mails;
    expect(mail).toMatchObject({ kind: 'receipt', state: 'sent', subject: sent?.subject });
    const withoutLink = sent?.text.replace(/http:\S+#chs_\S+/, '#');
    expect(mail.text).toBe(withoutLink);
    expect(`${mail.text}${mail.html}`).not.toContain('chs_');
  });

  // mails#sent-again-by-hand
  it('are sent again, with the same message, when they did not arrive', async () => {
    const outcomes: MailOutcome[] = [{ kind: 'refused', reason: 'No such user.' }];
    const { world, mailer, shop } = await openDesk(() => outcomes.shift() ?? { kind: 'accepted' });
    await subscribeByMail(world);
    const { id = '' } = (await newest(shop)) ?? {};
    expect(await refusal(shop.mails.resend(id))).toMatch(/^conflict: The mail waits .* Wait until/);
    await world.billing.worker.sendMails();
    expect(await shop.mails.refused()).toEqual([
      { address: 'ada@example.com', reason: 'No such user.', refused_at: world.now().toISOString() },
    ]);
    expect(await refusal(shop.mails.resend(id))).toMatch(/^conflict: A server refused .* accept it again/);
    await shop.mails.acceptAddress({ address: 'Ada@example.com' });
    expect(await shop.mails.refused()).toEqual([]);
    expect(await shop.mails.resend(id)).toMatchObject({
      id,
      state: 'pending',
      attempts: 0,
      last_error: null,
    });
    await world.billing.worker.sendMails();
    expect(mailer.mails.map((mail) => mail.id)).toEqual([mailer.mails[0]?.id, mailer.mails[0]?.id]);
    expect(await shop.mails.retrieve(id)).toMatchObject({ state: 'sent', attempts: 1 });
    expect(await refusal(shop.mails.resend(id))).toMatch(/^conflict: The mail was sent/);
    const { data } = await world.billing.management.auditEntries({ subject: id });
    expect(data.map(({ operation, outcome }) => `${operation} ${outcome}`).toSorted()).toEqual([
      'mails.resend done',
      ...Array.from({ length: 3 }, () => 'mails.resend refused'),
    ]);
  });

  it('are left out while the address is set aside, and sent again once it is accepted', async () => {
    const { world, shop } = await openDesk();
    const projectId = world.projectId as ProjectId;
    const refused = { projectId, reason: 'No such user.', refusedAt: world.now() };
    await world.store.refuseAddress({ ...refused, address: 'ada@example.com' });
    await subscribeByMail(world);
    await world.billing.worker.sendMails();
    const { id = '', ...left } = (await newest(shop)) ?? {};
    expect(left).toMatchObject({ state: 'left_out', last_error: 'No such user.', attempts: 0 });
    await shop.mails.acceptAddress({ address: 'ada@example.com' });
    expect(await refusal(shop.mails.acceptAddress({ address: 'ada@example.com' }))).toMatch(
      /^not_found: The address is not set aside/,
    );
    const both = await Promise.all([refusal(shop.mails.resend(id)), refusal(shop.mails.resend(id))]);
    expect(both.filter((one) => one === 'done')).toHaveLength(1);
    expect(await world.billing.worker.sendMails()).toMatchObject({ sent: 1 });
  });
});

// mails#test-mail
describe('a test mail', () => {
  it('is a receipt with the look of the project, sent at once and never stored', async () => {
    const { world, mailer, shop } = await openDesk();
    await shop.updateLook({ accent: '#0a7d5a' });
    await shop.updateSeller({ receipt_prefix: 'NL' });
    await shop.mails.updateSettings({ reply_to: 'help@shop.example', language: 'de' });
    expect(await shop.mails.test({ to: 'Desk@Shop.example' })).toEqual({ outcome: 'accepted', reason: null });
    expect(mailer.mails).toEqual([
      expect.objectContaining({
        id: expect.stringMatching(/^eml_\w+@night-library\.example$/) as string,
        from: { name: 'Night Library', address: FROM },
        to: 'desk@shop.example',
        replyTo: 'help@shop.example',
        subject: expect.stringMatching(/^Test: Beleg/) as string,
        text: expect.stringMatching(/Dies ist ein Test: .*\n\S+\/portal\n/s) as string,
        html: expect.stringContaining('#0a7d5a') as string,
      }),
    ]);
    expect((await shop.mails.list()).data).toEqual([]);
    await world.billing.worker.sendMails();
    expect(mailer.mails).toHaveLength(1);
  });

  it('answers what the server said, and sets no address aside', async () => {
    const outcomes: MailOutcome[] = (['refused', 'deferred', 'unreachable'] as const).map((kind) => ({
      ...{ kind, reason: `It is\u0000 ${kind}.` },
    }));
    const { shop, world } = await openDesk(() => outcomes.shift() ?? { kind: 'accepted' });
    for (const outcome of ['refused', 'deferred', 'unreachable'] as const)
      expect(await shop.mails.test({ to: 'desk@shop.example' })).toEqual({
        ...{ outcome, reason: `It is ${outcome}.` },
      });
    expect(await shop.mails.refused()).toEqual([]);
    expect((await world.billing.metrics()).alerts).toEqual([]);
  });

  it('is one of five a minute, of all projects together', async () => {
    const { shop, world, mailer } = await openDesk();
    const { id } = await world.billing.projects.create({ name: 'Other' });
    for (let sent = 0; sent < 5; sent += 1)
      await (sent % 2 ? shop : world.billing.project(id)).mails.test({ to: 'desk@shop.example' });
    expect(await refusal(shop.mails.test({ to: 'desk@shop.example' }))).toMatch(/^rate_limited: .* 5 test/);
    expect(mailer.mails).toHaveLength(5);
    world.advance(60_000);
    expect(await shop.mails.test({ to: 'desk@shop.example' })).toMatchObject({ outcome: 'accepted' });
  });
});

// mails#mail-that-is-read
it('a preview of each kind has the name, the look and the language of the project', async () => {
  const { shop } = await openDesk();
  await shop.update({ name: '<script>Library</script>', logo_url: 'https://shop.example/logo.png' });
  await shop.updateLook({ accent: '#0a7d5a' });
  for (const kind of MailKind.options) {
    const english = await shop.mails.preview({ kind });
    expect(english.subject).toContain('<script>Library</script>');
    expect(english.html).toContain('#0a7d5a');
    expect(english.html).toContain('https://shop.example/logo.png');
    expect(english.html).not.toContain('<script>');
    expect((await shop.mails.preview({ kind, language: 'de' })).html).toContain('lang="de"');
  }
  await shop.mails.updateSettings({ language: 'de' });
  expect((await shop.mails.preview({ kind: 'stopped' })).html).toContain('lang="de"');
  expect(await refusal(shop.mails.preview({ kind: 'gift' as MailKind }))).toMatch(/^invalid_request/);
});

// mails#settings-of-mails
describe('a service that sends no mails', () => {
  it('says why, shows samples and settings, and refuses what would send', async () => {
    const world = await openTestWorld();
    const shop = world.billing.project(world.projectId);
    expect(await shop.mails.settings()).toMatchObject({ from: null, lacks: 'mail_server' });
    expect(await shop.mails.updateSettings({ off: ['stopped'] })).toMatchObject({ off: ['stopped'] });
    expect((await shop.mails.preview({ kind: 'stopped' })).subject).toContain('Night Library');
    expect((await shop.mails.list()).data).toEqual([]);
    const noServer = /^not_supported: No mail server is set here.* SUBRAIL_SMTP_URL and SUBRAIL_MAIL_FROM/;
    expect(await refusal(shop.mails.test({ to: 'desk@shop.example' }))).toMatch(noServer);
    expect(await refusal(shop.mails.resend('eml_unknown'))).toMatch(noServer);
  });

  it.each(['MailStore', 'SessionStore'] as const)('names what its store lacks: %s', async (capability) => {
    const present = (['MailStore', 'SessionStore'] as const).filter((one) => one !== capability);
    const world = await openTestWorld({
      wrapStore: (store) => withCapabilities(store, present),
      ports: { mailer: new RecordingMailer(), settings: { mailFrom: FROM } },
    });
    const shop = world.billing.project(world.projectId);
    expect(await shop.mails.settings()).toMatchObject({ from: null, lacks: 'store' });
    expect((await shop.mails.preview({ kind: 'stopped' })).subject).toContain('Night Library');
    expect(await refusal(shop.mails.test({ to: 'desk@shop.example' }))).toMatch(
      new RegExp(`^not_supported: The store of this service lacks ${capability}`),
    );
  });
});
