import { LIMITS } from '../contract/limits.js';
import { hashKeyText, isKeyText, type KeyPrefix } from '../operations/projects/keys.js';
import type { Clock } from '../ports/index.js';
import type { Service } from '../service.js';

/** A stored key, as far as finding its holder needs it. */
interface StoredKey {
  readonly id: string;
  readonly lastUsedAt: Date | null;
}

/** The holder of a key: the key, and the operations that it opens. */
export interface KeyHolder {
  readonly key: StoredKey;
}

/** The keys of one kind, as they are stored. */
export interface KeyRing<Holder extends KeyHolder> {
  readonly prefix: KeyPrefix;
  /** Dates them. */
  readonly clock: Clock;
  /** Finds the holder of a key that was not revoked, by the key's hash. */
  find(hash: string): Promise<Holder | null>;
  /** Stores when a key was last used. */
  touch(key: Holder['key'], at: Date): Promise<void>;
}

/** The sender of a request: the holder of a key, or the code that refuses a request without a valid key. */
export type Caller<Holder extends KeyHolder> =
  | { readonly known: true; readonly holder: Holder }
  | { readonly known: false; readonly code: 'missing_api_key' | 'invalid_api_key' };

/** The last use of a key is stored at most once a minute. */
const LAST_USE_PRECISION_MS = 60_000;

/** A key that was valid when it was looked up last. */
interface ValidKey {
  /** The time of the last use that was stored, in milliseconds since 1970; -Infinity when unknown. */
  lastStoredUse: number;
}

/** Allows or forbids a look-up of a key that this handler does not know as valid. */
export interface LookUpBudget {
  /** Takes one look-up from the budget; false when none is left. */
  take(): boolean;
  /** Returns a look-up that found a valid key, or that the store could not answer. */
  giveBack(): void;
}

/**
 * Makes the function that finds the caller of a request by its `Authorization` header. Keys that were valid
 * before are always looked up, others within the budget (requests#anonymous-limit-spares-the-store). The
 * last use of each key is stored, and no call waits for that.
 */
export function createAuthenticate<Holder extends KeyHolder>(
  service: Service,
  ring: KeyRing<Holder>,
): (authorization: string | null, budget: LookUpBudget) => Promise<Caller<Holder>> {
  /** The keys that were valid when they were looked up last, by hash. */
  const validKeys = new Map<string, ValidKey>();

  function remember(hash: string): ValidKey {
    const valid = validKeys.get(hash) ?? { lastStoredUse: -Infinity };
    if (validKeys.size >= LIMITS.callersRemembered && !validKeys.has(hash)) {
      const [oldest] = validKeys.keys();
      if (oldest !== undefined) validKeys.delete(oldest);
    }
    validKeys.set(hash, valid);
    return valid;
  }

  function recordUse(valid: ValidKey, key: Holder['key']): void {
    const { id, lastUsedAt } = key;
    const now = ring.clock.now();
    // The stored key shows a later use that another process stored.
    valid.lastStoredUse = Math.max(lastUsedAt?.getTime() ?? -Infinity, valid.lastStoredUse);
    if (now.getTime() - valid.lastStoredUse < LAST_USE_PRECISION_MS) return;
    valid.lastStoredUse = now.getTime();
    ring.touch(key, now).catch((error: unknown) => {
      service.logger.warn(
        { key: id, err: error },
        'The last use of a key could not be stored. The call went on.',
      );
    });
  }

  return async (authorization, budget) => {
    const keyText = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (keyText === undefined || !isKeyText(keyText, ring.prefix))
      return { known: false, code: 'missing_api_key' };
    const hash = await hashKeyText(service.crypto, keyText);
    const known = validKeys.get(hash);
    // Taken before the look-up, so that many calls at once cannot exceed the budget together.
    if (known === undefined && !budget.take()) return { known: false, code: 'invalid_api_key' };
    const found = await ring.find(hash).catch((error: unknown) => {
      if (known === undefined) budget.giveBack();
      throw error;
    });
    if (found === null) {
      validKeys.delete(hash);
      return { known: false, code: 'invalid_api_key' };
    }
    if (known === undefined) budget.giveBack();
    recordUse(known ?? remember(hash), found.key);
    return { known: true, holder: found };
  };
}
