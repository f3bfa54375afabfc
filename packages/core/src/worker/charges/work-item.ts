import type { SubscriptionChanges } from '../../commits/subscription-changes.js';
import type { ChargeOrder } from '../../ports/index.js';
import type { Transfer } from '../../records/index.js';
import type { RefusedCharge } from './apply-decision.js';

/** A claimed subscription on its way through a charge pass: its changes so far, and its next step. */
export interface WorkItem {
  readonly changes: SubscriptionChanges;
  state: WorkState;
}

/** The progress of a subscription in a charge pass. A step of it works on the subscriptions in one state. */
export type WorkState =
  /** A transfer is open, and its outcome has to be looked up. */
  | { readonly kind: 'unresolved'; readonly transfer: Transfer }
  /** The chain has to be read. */
  | {
      readonly kind: 'unread';
      /** Whether a try is due. Otherwise the read only notices what happened on chain. */
      readonly isDue: boolean;
      /** The refused charge that the read is to explain, if any. */
      readonly refused: RefusedCharge | null;
    }
  /** A charge has to be signed. */
  | { readonly kind: 'chargeable'; readonly order: ChargeOrder; readonly periodStart: Date }
  /** A charge is signed, and has to be stored and sent. */
  | { readonly kind: 'signed' }
  /** Nothing is left but to store what changed, and when the subscription wakes next. */
  | { readonly kind: 'settled' }
  /** Everything is stored. */
  | { readonly kind: 'stored' };

export const SETTLED: WorkState = { kind: 'settled' };

export interface ItemInState<Kind extends WorkState['kind']> {
  readonly item: WorkItem;
  readonly changes: SubscriptionChanges;
  readonly state: Extract<WorkState, { readonly kind: Kind }>;
}

/** The items in a state, without those for which a step failed. */
export function inState<Kind extends WorkState['kind']>(
  items: readonly WorkItem[],
  kind: Kind,
): readonly ItemInState<Kind>[] {
  return items.flatMap((item) => {
    const { changes, state } = item;
    if (state.kind !== kind || changes.discarded) return [];
    return [{ item, changes, state: state as ItemInState<Kind>['state'] }];
  });
}
