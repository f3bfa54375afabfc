import type { ReasonCode } from '../contract/confirmation.js';
import type { SubscriptionId, TransferId } from './ids.js';

/**
 * A payment of the service that a transaction may make. It is stored before it is sent, so that after any
 * crash its outcome is looked up by its signature. The store enforces at most one `open` transfer of a
 * subscription, and at most one that `landed` of a period.
 */
export interface Transfer {
  readonly id: TransferId;
  readonly subscriptionId: SubscriptionId;
  /** The purpose: the first payment of a checkout, by what that does, or a later period's. */
  readonly kind: 'subscribe' | 'comeback' | 'change' | 'charge';
  /** What started a charge: schedule, automatic retry, or manual retry (`hand`). Null for a checkout. */
  readonly trigger: 'schedule' | 'retry' | 'hand' | null;
  /** Base58. The outcome is looked up by it. Charges that share a transaction have the same one. */
  readonly signature: string;
  /** The place among the payments of the transaction, from 0. */
  readonly paymentIndex: number;
  /** The signed transaction, base64: sending it again is harmless. */
  readonly wire: string;
  /** The amount of the payment, in the token's smallest unit. */
  readonly amount: bigint;
  /** Start of the period it pays. Null for a checkout's payment until it lands. */
  readonly periodStart: Date | null;
  readonly lastValidBlockHeight: bigint;
  readonly state: 'open' | 'landed' | 'failed' | 'lost';
  /** The `reason_code` of the checkout's confirmation, when the checkout did not succeed; else null. */
  readonly reasonCode: ReasonCode | null;
  /** Reads at `finalized` that did not find it after its block height. The second makes it `lost`. */
  readonly notFoundCount: number;
  /** Whether a wait of two minutes was recorded as a blocked attempt, which happens once. */
  readonly longWaitRecorded: boolean;
  /**
   * The share of the network fee that fell on it, in lamports, whoever paid it. Null unless it landed or
   * failed on chain, or when the chain does not say.
   */
  readonly lamports: bigint | null;
  readonly createdAt: Date;
  readonly resolvedAt: Date | null;
}
