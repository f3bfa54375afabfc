import { type Change, NOT_YET } from './plan-change.js';

/** A change that a wallet was asked to sign and that is not confirmed yet. */
export interface KeptSignature {
  readonly change: Change;
  /** What it signed, in base64; null when the wallet sends it itself, or another one did elsewhere. */
  readonly transaction: string | null;
  /** When the wallet answered, or was asked while it has not, by the clock of this browser. */
  readonly at: number;
  /** Whether it may have been sent already. */
  readonly isSent: boolean;
}

/** Signatures that a browser did not keep, for as long as the page is open. */
const unkept = new Map<string, KeptSignature>();

/** The signature of a plan, kept in this browser until its outcome is known, also while no page is open. */
export function keptSignatureOf(planId: string) {
  const key = `subrail:plan:${planId}`;
  const store = {
    read(): KeptSignature | null {
      // What could not be kept is newer than what is.
      const own = unkept.get(key);
      if (own !== undefined) return own;
      try {
        const kept: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
        return isSignature(kept) ? kept : null;
      } catch {
        return null;
      }
    },
    /** Keeps a signature; null removes it. */
    write(signature: KeptSignature | null): void {
      unkept.delete(key);
      try {
        if (signature === null) localStorage.removeItem(key);
        else localStorage.setItem(key, JSON.stringify(signature));
      } catch {
        if (signature !== null) unkept.set(key, signature);
      }
    },
    /** Keeps `next` in place of `own`. A later signature, of another attempt or tab, stays. */
    replace(own: KeptSignature, next: KeptSignature | null): void {
      if (store.read()?.at === own.at) store.write(next);
    },
  };
  return store;
}

/** Whether what is kept is a signature, as this release writes it. */
function isSignature(kept: unknown): kept is KeptSignature {
  if (typeof kept !== 'object' || kept === null) return false;
  const { change, transaction, at, isSent } = kept as Readonly<Partial<Record<keyof KeptSignature, unknown>>>;
  return (
    typeof change === 'object' &&
    change !== null &&
    Object.hasOwn(NOT_YET, (change as Partial<Change>).step ?? '') &&
    (transaction === null || typeof transaction === 'string') &&
    typeof at === 'number' &&
    typeof isSent === 'boolean'
  );
}
