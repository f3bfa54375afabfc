import type {
  Attempt,
  AttemptId,
  ProjectId,
  Refund,
  Seller,
  SignedTerms,
  SubscriptionId,
  Transfer,
  TransferId,
} from '@subrail/core/ports';
import type { AttemptOutcome } from '@subrail/core/schemas';
import { bigInteger, flag, instant, integer, nullable, text } from '../codec/codec.js';
import { recordTable } from './record-table.js';

export const transferTable = recordTable<Transfer>()('transfers', {
  id: text<TransferId>(),
  subscriptionId: text<SubscriptionId>(),
  kind: text<Transfer['kind']>(),
  trigger: nullable(text<NonNullable<Transfer['trigger']>>()),
  signature: text(),
  paymentIndex: integer,
  wire: text(),
  amount: bigInteger,
  periodStart: nullable(instant),
  lastValidBlockHeight: bigInteger,
  state: text<Transfer['state']>(),
  reasonCode: nullable(text<NonNullable<Transfer['reasonCode']>>()),
  notFoundCount: integer,
  longWaitRecorded: flag,
  lamports: nullable(bigInteger),
  createdAt: instant,
  resolvedAt: nullable(instant),
});

export const attemptTable = recordTable<Attempt>()('attempts', {
  id: text<AttemptId>(),
  subscriptionId: text<SubscriptionId>(),
  attemptedAt: instant,
  outcome: text<AttemptOutcome>(),
  reason: nullable(text()),
  amount: bigInteger,
  amountReceived: nullable(bigInteger),
  amountUsd: nullable(text()),
  signature: nullable(text()),
  fee: nullable(bigInteger),
  retry: flag,
  retryNumber: nullable(integer),
  retriesAllowed: nullable(integer),
  periodStart: nullable(instant),
  receiptNumber: nullable(integer),
  receiptPrefix: nullable(text()),
});

export const refundTable = recordTable<Refund>()('refunds', {
  signature: text(),
  projectId: text<ProjectId>(),
  attemptId: text<AttemptId>(),
  amount: bigInteger,
  landedAt: instant,
  recordedAt: instant,
});

export const sellerTable = recordTable<Seller>()('sellers', {
  projectId: text<ProjectId>(),
  legalName: nullable(text()),
  address: nullable(text()),
  taxId: nullable(text()),
  receiptPrefix: nullable(text()),
});

export const signedTermsTable = recordTable<SignedTerms>()('signed_terms', {
  subscriptionId: text<SubscriptionId>(),
  message: text(),
  signature: text(),
  envelope: nullable(text()),
  signedAt: instant,
});
