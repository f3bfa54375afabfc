import type { AddedFigures, Movement } from '../records/index.js';
import { MADE_AT, anId } from './records.js';

/** Makes a movement of a subscription that is new. */
export function aMovement(given: Partial<Movement> = {}): Movement {
  return {
    id: anId('mov'),
    projectId: anId('proj'),
    planId: anId('plan'),
    subscriptionId: anId('sub'),
    at: MADE_AT,
    kind: 'new',
    reason: null,
    recurring: 1,
    begunAt: MADE_AT,
    ...given,
  };
}

/** Makes figures of a day on which a charge of 10 tokens was paid. */
export function someFigures(given: Partial<AddedFigures> = {}): AddedFigures {
  return {
    id: anId('fig'),
    projectId: anId('proj'),
    planId: anId('plan'),
    day: MADE_AT,
    running: 0,
    recurring: 0,
    price: null,
    sums: { paid: 1n, 'paid.amount': 10_000_000n },
    cohorts: {},
    ...given,
  };
}
