import { describe, expect, it } from 'vitest';

import { sessionState } from './session-state.js';

const EXPIRES = new Date('2026-10-03T08:30:00.000Z');
const BEFORE = new Date(EXPIRES.getTime() - 1);

const CHECKOUT = { kind: 'checkout', expiresAt: EXPIRES } as const;
const PORTAL = { kind: 'portal', expiresAt: EXPIRES } as const;

const PAID = { subscription: { confirmedAt: BEFORE } };
const SENT = { subscription: { confirmedAt: null } };

describe('the state of a session', () => {
  // checkout-sessions#state-of-a-session
  it.each([
    ['a checkout with nothing before its end', CHECKOUT, [], BEFORE, 'open'],
    ['a checkout with nothing from its end on', CHECKOUT, [], EXPIRES, 'expired'],
    ['a checkout whose payment is on its way', CHECKOUT, [SENT], BEFORE, 'open'],
    ['a checkout whose payment is on its way at its end', CHECKOUT, [SENT], EXPIRES, 'expired'],
    ['a checkout with a payment', CHECKOUT, [SENT, PAID], BEFORE, 'complete'],
    ['a checkout with a payment after its end', CHECKOUT, [PAID], EXPIRES, 'complete'],
    ['a portal with a payment', PORTAL, [PAID], BEFORE, 'open'],
    ['a portal with a payment from its end on', PORTAL, [PAID], EXPIRES, 'expired'],
  ] as const)('of %s', (_, session, purchases, now, state) => {
    expect(sessionState(session, purchases, now)).toBe(state);
  });
});
