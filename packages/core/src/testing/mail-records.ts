import { NO_MAIL_FACTS, type Mail } from '../records/index.js';
import { MADE_AT, anId } from './records.js';

/** Makes a receipt without facts that was never tried and is due. */
export function aMail(given: Partial<Mail> = {}): Mail {
  return {
    id: anId('eml'),
    projectId: anId('proj'),
    subscriptionId: anId('sub'),
    eventId: anId('evt'),
    kind: 'receipt',
    email: 'reader@example.com',
    facts: NO_MAIL_FACTS,
    createdAt: MADE_AT,
    state: 'pending',
    attempts: 0,
    firstAttemptAt: null,
    nextAttemptAt: MADE_AT,
    settledAt: null,
    lastError: null,
    ...given,
  };
}
