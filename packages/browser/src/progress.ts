import type { CustomerAction, TermsFact } from '@subrail/core/schemas';
import type { KeyedStorage } from './page.js';

/** A text that the wallet signed, and what it signed. */
export interface SignedTerms {
  readonly message: string;
  readonly facts: readonly TermsFact[];
  /** Base64. */
  readonly signature: string;
  /** What the wallet says it signed: the text or an envelope of it, in base64. */
  readonly signedMessage: string;
}

/** How far a checkout is, for a page that is loaded again. */
export interface CheckoutProgress {
  /** The plan that the page named, by its slug; null for none. */
  readonly wish: string | null;
  readonly plan: string;
  readonly wallet: string;
  /** The name of the wallet's app, which is connected again. */
  readonly walletName: string;
  readonly subscription: string;
  readonly email: string | null;
  readonly terms: SignedTerms | null;
  /** The transaction that the wallet signed, in base64: kept before it is sent, until it cannot land. */
  readonly transaction: string | null;
}

/** A change that a wallet signed and that is not confirmed yet. */
export interface ActionProgress {
  readonly subscription: string;
  readonly action: Extract<CustomerAction, 'cancel' | 'resume' | 'close'>;
  /** Base64; null when the wallet sent it itself. */
  readonly transaction: string | null;
  /** Base58. */
  readonly signature: string;
}

/** A place for one value in a storage. */
export interface Kept<Value> {
  read(): Value | null;
  /** Keeps a value; null removes it. */
  write(value: Value | null): void;
}

/**
 * Keeps a value under a key. What a storage refuses is kept as long as the page, so that a full or blocked
 * storage stops no payment.
 */
export function keptIn<Value>(storage: KeyedStorage, key: string): Kept<Value> {
  let own: Value | null | undefined;
  return {
    read() {
      if (own !== undefined) return own;
      try {
        return JSON.parse(storage.getItem(key) ?? 'null') as Value | null;
      } catch {
        return null;
      }
    },
    write(value) {
      own = value;
      try {
        if (value === null) storage.removeItem(key);
        else storage.setItem(key, JSON.stringify(value));
      } catch {
        // It stays in `own`.
      }
    },
  };
}
