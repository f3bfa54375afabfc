import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { CheckoutWire, NewSession } from '../../../contract/session.js';
import { NOW, PROJECT } from '../../../http/tests/fixtures.js';
import type { Session, SessionSubscription, Subscription } from '../../../records/index.js';
import { aCheckout, aPlan, aSubscription } from '../../../testing/records.js';
import { PRO, sessionsOf } from './fixtures.js';

const SESSIONS = '/checkout/v1/sessions';
const HOUR = 3_600_000;
const at = (ms: number) => new Date(NOW.getTime() + ms);

describe('POST /checkout/v1/sessions', () => {
  // checkout-sessions#secret-of-a-session
  it('answers 201 with an address that has the secret, of which the store has the hash', async () => {
    const { post, sessions } = sessionsOf();
    const { status, body } = await post(SESSIONS, { plan: 'pro' });
    const { id, url } = NewSession.parse(body);
    expect([status, id]).toEqual([201, expect.stringMatching(/^chk_[0-9A-Za-z]{24}$/)]);
    const [, secret = ''] = /^http:\/\/localhost:3000\/checkout#(chs_[0-9A-Za-z]{43})$/.exec(url) ?? [];
    const hash = createHash('sha256').update(secret).digest('hex');
    expect(sessions).toMatchObject([{ id, projectId: PROJECT.id, secretHash: hash }]);
    expect(JSON.stringify(sessions)).not.toContain(secret);
  });

  // checkout-sessions#secret-of-a-session
  it('makes another session each time', async () => {
    const { post, sessions } = sessionsOf();
    const urls = [await post(SESSIONS, { plan: 'pro' }), await post(SESSIONS, { plan: 'pro' })];
    expect(new Set(urls.map(({ body }) => body['url'])).size).toBe(2);
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(2);
  });

  // checkout-sessions#customer-of-a-session
  it('stores what the server said', async () => {
    const team = aPlan({ projectId: PROJECT.id, slug: 'team' });
    const { post, sessions } = sessionsOf({ plans: [PRO, team] });
    await post(SESSIONS, {
      plans: ['team', 'pro', 'team'],
      external_id: ' customer-42 ',
      email: 'Ada@Example.com',
      ask_email: true,
      success_url: 'https://shop.example/thanks?order=7',
      cancel_url: 'https://shop.example/prices',
      locale: 'pt-BR',
    });
    await post(SESSIONS, { plan: 'pro', email: null, locale: null, success_url: null });
    expect(sessions).toMatchObject([
      {
        kind: 'checkout',
        externalId: 'customer-42',
        email: 'ada@example.com',
        subscriptionId: null,
        planIds: [team.id, PRO.id],
        askEmail: true,
        successUrl: 'https://shop.example/thanks?order=7',
        backUrl: 'https://shop.example/prices',
        locale: 'pt-BR',
        linkId: null,
      },
      { externalId: null, email: null, planIds: [PRO.id], askEmail: false, successUrl: null, locale: null },
    ]);
  });

  // checkout-sessions#time-of-a-session
  it.each([
    [undefined, 24 * HOUR],
    [300, 300_000],
    [604_800, 604_800_000],
  ])('lasts as long as expires_in says: %s', async (expires_in, ms) => {
    const { post, sessions } = sessionsOf();
    const { body } = await post(SESSIONS, { plan: 'pro', expires_in });
    expect(body['expires_at']).toBe(at(ms).toISOString());
    expect(sessions).toMatchObject([{ createdAt: NOW, expiresAt: at(ms) }]);
  });

  // checkout-sessions#plans-of-a-session
  it.each([
    ['no such plan', [], 'plan_not_found', 'The project has no published plan "pro".'],
    ['a draft', [{ status: 'draft' }], 'plan_not_on_chain', /^The plan "pro" is a draft/],
    ['a failed plan', [{ status: 'failed' }], 'plan_not_found', /"pro"/],
    ['a closed plan', [{ status: 'closed' }], 'plan_not_found', /"pro"/],
    ['a sunset plan', [{ status: 'sunset' }], 'plan_sunset', 'The plan "pro" takes no new subscriber.'],
    ['a plan that has ended', [{ endsAt: NOW }], 'plan_ended', /^The plan "pro" has ended/],
    ['a plan that ends at once', [{ endsAt: at(120_000) }], 'plan_ended', /two minutes/],
  ] as const)('refuses %s, also among others', async (_, [given], code, message) => {
    const other = aPlan({ projectId: PROJECT.id, slug: 'other' });
    const plans = given === undefined ? [other] : [other, { ...PRO, ...given }];
    const { post, sessions } = sessionsOf({ plans });
    for (const body of [{ plan: 'pro' }, { plans: ['other', 'pro'] }]) {
      const answer = await post(SESSIONS, body);
      expect(answer.body).toMatchObject({ code, message: expect.stringMatching(message) as string });
    }
    expect(sessions).toEqual([]);
  });

  // checkout-sessions#plans-of-a-session
  // checkout-sessions#time-of-a-session
  it.each([
    [{}, 'The request must name its plans by exactly one of plan and plans.'],
    [{ plan: 'pro', plans: ['pro'] }, 'The request must name its plans by exactly one of plan and plans.'],
    [{ plans: [] }, '"plans" must have at least 1 item.'],
    [{ plans: Array.from({ length: 11 }, () => 'pro') }, '"plans" must name at most 10 plans.'],
    [{ plan: 'pro', expires_in: 299 }, '"expires_in" must be 300 to 604800.'],
    [{ plan: 'pro', expires_in: 604_801 }, '"expires_in" must be 300 to 604800.'],
    [{ plan: 'pro', locale: 'English' }, '"locale" must be a language, such as en or pt-BR.'],
    [{ plan: 'pro', locale: `en${'-aa'.repeat(20)}` }, '"locale" must be a language, such as en or pt-BR.'],
    [{ plan: 'pro', wallet: 'anyone' }, 'The request must not contain "wallet".'],
  ])('refuses %j', async (body, sentence) => {
    expect((await sessionsOf().post(SESSIONS, body)).body).toMatchObject({
      statusCode: 400,
      code: 'invalid_request',
      message: [sentence],
    });
  });

  // checkout-sessions#addresses-to-return-to
  it.each([
    'http://shop.example/thanks',
    'http://localhost.shop.example/',
    'http://10.0.0.1/',
    'https://shop@evil.example/',
    'https://:secret@evil.example/',
    'javascript:alert(1)',
    'data:text/html,hello',
    '//shop.example/thanks',
    '/thanks',
    'https://',
    `https://shop.example/${'x'.repeat(500)}`,
    'https://shop.example/\u202Eevil',
    'https://shop.example/\nevil',
  ])('refuses to return to %j', async (address) => {
    const { post } = sessionsOf();
    for (const field of ['success_url', 'cancel_url']) {
      const { body } = await post(SESSIONS, { plan: 'pro', [field]: address });
      expect(body).toMatchObject({ code: 'invalid_request' });
      expect(String(body['message'])).toContain(`"${field}" must`);
    }
  });

  // checkout-sessions#addresses-to-return-to
  it.each(['http://localhost:5173/thanks', 'http://127.0.0.1/', 'http://[::1]:3000/'])(
    'returns to %s on devnet only',
    async (address) => {
      const body = { plan: 'pro', success_url: address, cancel_url: address };
      expect((await sessionsOf().post(SESSIONS, body)).status).toBe(201);
      const mainnet = sessionsOf({ network: 'mainnet-beta' });
      expect((await mainnet.post(SESSIONS, body)).body).toMatchObject({
        code: 'invalid_request',
        message: [
          '"success_url" must be an https address: http is for devnet alone.',
          '"cancel_url" must be an https address: http is for devnet alone.',
        ],
      });
      const https = { ...body, success_url: 'https://shop.example/', cancel_url: undefined };
      expect((await mainnet.post(SESSIONS, https)).status).toBe(201);
    },
  );

  // checkout-sessions#kinds-of-sessions
  it('needs the API key of the project', async () => {
    const { call, post, sessions } = sessionsOf();
    expect((await call(SESSIONS, { method: 'POST', key: null })).body['code']).toBe('missing_api_key');
    const url = String((await post(SESSIONS, { plan: 'pro' })).body['url']);
    const key = url.slice(url.indexOf('#') + 1);
    for (const path of [`${SESSIONS}/${sessions[0]?.id}`, '/checkout/v1/links', '/v1/plans'])
      expect((await call(path, { key })).body['code']).toBe('missing_api_key');
  });
});

/** A checkout that was made, with what became of its subscriptions. */
async function checkoutWith(
  subscriptions: readonly Subscription[],
  rows: (session: Session) => readonly SessionSubscription[],
) {
  const fixture = sessionsOf({ subscriptions });
  await fixture.post(SESSIONS, { plan: 'pro', external_id: 'customer-42', email: 'ada@example.com' });
  const [session] = fixture.sessions;
  if (session === undefined) throw new Error('No session was stored.');
  fixture.rows.push(...rows(session));
  const read = async () => CheckoutWire.parse((await fixture.call(`${SESSIONS}/${session.id}`)).body);
  return { ...fixture, session, read };
}

describe('GET /checkout/v1/sessions/{id}', () => {
  const own = { projectId: PROJECT.id, planId: PRO.id };
  const paid = aSubscription(own);
  const sent = aCheckout(own);
  const row = (session: Session, { id }: Subscription, submitted: number | null) => ({
    sessionId: session.id,
    subscriptionId: id,
    reservedAt: NOW,
    submittedAt: submitted === null ? null : at(submitted),
  });

  // checkout-sessions#checkout-of-the-server
  it('answers what the server made, without a subscription at first', async () => {
    const { read, session } = await checkoutWith([], () => []);
    expect(await read()).toEqual({
      id: session.id,
      state: 'open',
      plans: ['pro'],
      external_id: 'customer-42',
      email: 'ada@example.com',
      subscription: null,
      link: null,
      created_at: NOW.toISOString(),
      expires_at: at(24 * HOUR).toISOString(),
    });
  });

  // checkout-sessions#checkout-of-the-server
  // checkout-sessions#state-of-a-session
  it('answers the subscription that is confirmed, else the one that was submitted last', async () => {
    const earlier = aCheckout(own);
    const rows = (session: Session) => [row(session, earlier, 1_000), row(session, sent, 2_000)];
    const under = await checkoutWith([earlier, sent], rows);
    expect(await under.read()).toMatchObject({ state: 'open', subscription: { id: sent.id, plan: 'pro' } });
    const done = await checkoutWith([paid, sent], (session) => [
      row(session, paid, 1_000),
      row(session, sent, 2_000),
    ]);
    expect(await done.read()).toMatchObject({ state: 'complete', subscription: { id: paid.id } });
  });

  // checkout-sessions#checkout-of-the-server
  it('shows no subscription that it did not submit, nor one that is deleted', async () => {
    const { read } = await checkoutWith([paid], (session) => [
      row(session, paid, null),
      row(session, sent, 1_000),
    ]);
    expect(await read()).toMatchObject({ state: 'open', subscription: null });
  });

  // checkout-sessions#state-of-a-session
  it('is expired from expires_at on, unless it was paid', async () => {
    const open = await checkoutWith([], () => []);
    open.clock.advance(24 * HOUR - 1);
    expect((await open.read()).state).toBe('open');
    open.clock.advance(1);
    expect((await open.read()).state).toBe('expired');
    const done = await checkoutWith([paid], (session) => [row(session, paid, 1_000)]);
    done.clock.advance(25 * HOUR);
    expect((await done.read()).state).toBe('complete');
  });

  // checkout-sessions#checkout-of-the-server
  it('is session_not_found for an id of none, of another project and of a portal', async () => {
    const { call, post, sessions, session } = await checkoutWith([], () => []);
    await post('/portal/v1/sessions', { external_id: 'customer-42' });
    const another = { ...session, id: `${session.id.slice(0, -1)}_`, projectId: 'proj_other' } as Session;
    sessions.push(another);
    const portal = sessions.find(({ kind }) => kind === 'portal');
    for (const id of ['chk_none', String(portal?.id), another.id])
      expect((await call(`${SESSIONS}/${id}`)).body).toMatchObject({
        statusCode: 404,
        code: 'session_not_found',
      });
  });
});
