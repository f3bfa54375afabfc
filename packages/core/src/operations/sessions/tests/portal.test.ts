import { describe, expect, it } from 'vitest';

import { NewSession } from '../../../contract/session.js';
import { NOW, PROJECT } from '../../../http/tests/fixtures.js';
import { aSubscription } from '../../../testing/records.js';
import { PRO, sessionsOf } from './fixtures.js';

const SESSIONS = '/portal/v1/sessions';
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

const subscriptionOf = (externalId: string | null, email: string | null) =>
  aSubscription({ projectId: PROJECT.id, planId: PRO.id, externalId, email });

describe('POST /portal/v1/sessions', () => {
  // checkout-sessions#kinds-of-sessions
  it('makes a portal, whose address has the secret', async () => {
    const { post, sessions } = sessionsOf();
    const { status, body } = await post(SESSIONS, {
      external_id: 'customer-42',
      return_url: 'https://shop.example/account',
      locale: 'de',
    });
    const { id, url } = NewSession.parse(body);
    expect([status, id]).toEqual([201, expect.stringMatching(/^prt_[0-9A-Za-z]{24}$/)]);
    expect(url).toMatch(/^http:\/\/localhost:3000\/portal#chs_[0-9A-Za-z]{43}$/);
    expect(sessions).toMatchObject([
      {
        kind: 'portal',
        planIds: [],
        askEmail: false,
        successUrl: null,
        backUrl: 'https://shop.example/account',
        locale: 'de',
        linkId: null,
      },
    ]);
  });

  // checkout-sessions#time-of-a-session
  it.each([
    [undefined, 3_600],
    [300, 300],
    [604_800, 604_800],
  ])('lasts as long as expires_in says: %s', async (expires_in, seconds) => {
    const { body } = await sessionsOf().post(SESSIONS, { email: 'ada@example.com', expires_in });
    expect(body['expires_at']).toBe(at(seconds).toISOString());
  });

  const named = subscriptionOf('customer-42', 'ada@example.com');
  const byEmail = subscriptionOf(null, 'ada@example.com');
  const byWallet = subscriptionOf(null, null);

  // checkout-sessions#customer-of-a-session
  it.each([
    ['an external id', { external_id: 'customer-42' }, ['customer-42', null, null]],
    ['an email', { email: 'Ada@Example.com' }, [null, 'ada@example.com', null]],
    [
      'a subscription with an external id',
      { subscription: named.id },
      ['customer-42', 'ada@example.com', null],
    ],
    ['nothing but a subscription with an email', { subscription: byEmail.id }, [null, null, byEmail.id]],
    ['nothing but a subscription of a wallet', { subscription: byWallet.id }, [null, null, byWallet.id]],
  ])('knows the customer by %s', async (_, input, customer) => {
    const { post, sessions } = sessionsOf({ subscriptions: [named, byEmail, byWallet] });
    expect((await post(SESSIONS, input)).status).toBe(201);
    const stored = sessions.map(({ externalId, email, subscriptionId }) => [
      externalId,
      email,
      subscriptionId,
    ]);
    expect(stored).toEqual([customer]);
  });

  // checkout-sessions#another-customers-subscription
  it('refuses a subscription that the project does not have', async () => {
    const other = aSubscription({ planId: PRO.id });
    const { post, sessions } = sessionsOf({ subscriptions: [other] });
    for (const subscription of ['sub_none', other.id])
      expect((await post(SESSIONS, { subscription })).body).toMatchObject({
        statusCode: 404,
        code: 'subscription_not_found',
      });
    expect(sessions).toEqual([]);
  });

  // checkout-sessions#customer-of-a-session
  it.each([
    [{}],
    [{ external_id: 'customer-42', email: 'ada@example.com' }],
    [{ email: 'ada@example.com', subscription: 'sub_1' }],
  ])('refuses a customer who is not named once: %j', async (input) => {
    expect((await sessionsOf().post(SESSIONS, input)).body).toMatchObject({
      code: 'invalid_request',
      message: ['The request must name the customer by exactly one of external_id, email and subscription.'],
    });
  });

  // checkout-sessions#addresses-to-return-to
  it('leads back over http on devnet only', async () => {
    const input = { external_id: 'customer-42', return_url: 'http://localhost:5173/account' };
    expect((await sessionsOf().post(SESSIONS, input)).status).toBe(201);
    const mainnet = sessionsOf({ network: 'mainnet-beta' });
    expect((await mainnet.post(SESSIONS, input)).body).toMatchObject({
      message: ['"return_url" must be an https address: http is for devnet alone.'],
    });
  });
});
