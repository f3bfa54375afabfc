import type { Refund } from '../records/index.js';
import { MADE_AT, aSignature, anId } from './records.js';

/** Makes a refund of a whole charge. */
export function aRefund(given: Partial<Refund> = {}): Refund {
  return {
    signature: aSignature(),
    projectId: anId('proj'),
    attemptId: anId('att'),
    amount: 10_000_000n,
    landedAt: MADE_AT,
    recordedAt: MADE_AT,
    ...given,
  };
}
