import type { ReasonCode } from '../contract/confirmation.js';
import type { SubscriptionId, TransferId } from './ids.js';

/**
 * One payment of the service that a transaction may make. It is stored before it is sent, so that after any crash its
 * outcome can be looked up by its signature. A subscription has at most one `open` transfer, and a period at most one
 * that `landed`: the store enforces both.
 */
export interface Transfer {
  readonly id: TransferId;
  readonly subscriptionId: SubscriptionId;
  /** What it pays: a new subscription's first period, a comeback's, or a later period of either. */
  readonly kind: 'subscribe' | 'comeback' | 'charge';
  /** What started a charge: its schedule, an automatic retry, or a manual retry (`hand`). Null for a checkout's payment. */
  readonly trigger: 'schedule' | 'retry' | 'hand' | null;
  /** Base58. The outcome is looked up by it. Charges that share a transaction have the same one. */
  readonly signature: string;
  /** Which payment of the transaction it is, from 0. */
  readonly paymentIndex: number;
  /** The signed transaction, base64: sending it again is harmless. */
  readonly wire: string;
  /** The amount of the payment, in the token's smallest unit. */
  readonly amount: bigint;
  /** Start of the billing period it pays. Null for a checkout's payment until it lands, which decides the period. */
  readonly periodStart: Date | null;
  readonly lastValidBlockHeight: bigint;
  readonly state: 'open' | 'landed' | 'failed' | 'lost';
  /** The `reason_code` of the checkout's confirmation, when the checkout did not succeed; else null. */
  readonly reasonCode: ReasonCode | null;
  /**
   * How many reads at `finalized` did not find it after its block height had passed. The second one makes it `lost`.
   */
  readonly notFoundCount: number;
  /** Whether a wait of more than two minutes was already recorded as a blocked attempt, which happens once. */
  readonly longWaitRecorded: boolean;
  /**
   * The network fee that fell on it, in lamports, whoever paid it: its share of the transaction's fee. Null unless it
   * landed or failed on chain, or when the chain does not say.
   */
  readonly lamports: bigint | null;
  readonly createdAt: Date;
  readonly resolvedAt: Date | null;
}
