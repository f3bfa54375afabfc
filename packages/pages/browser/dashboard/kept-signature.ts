import type { Change } from './plan-change.js';

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

/** Signatures of a browser that keeps nothing, for as long as the page is open. */
const unkept = new Map<string, KeptSignature>();

/** The signature of a plan, kept in this browser until its outcome is known, also while no page is open. */
export function keptSignatureOf(planId: string) {
  const key = `subrail:plan:${planId}`;
  return {
    read(): KeptSignature | null {
      try {
        return (
          (JSON.parse(localStorage.getItem(key) ?? 'null') as KeptSignature | null) ?? unkept.get(key) ?? null
        );
      } catch {
        return unkept.get(key) ?? null;
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
  };
}
