import { LIMITS } from '../contract/limits.js';
import { hashKeyText, isKeyText } from '../operations/projects/key-text.js';
import type { ApiKey, Project } from '../records/index.js';
import type { Service } from '../service.js';

/** Who sent a request: its key and the key's project, or the code that refuses a request without a valid key. */
export type Caller =
  | { readonly known: true; readonly key: ApiKey; readonly project: Project }
  | { readonly known: false; readonly code: 'missing_api_key' | 'invalid_api_key' };

/** The last use of a key is stored at most once a minute. */
const LAST_USE_PRECISION_MS = 60_000;

/** Allows or forbids a look-up of a key that this handler does not know as valid. */
export interface LookUpBudget {
  /** Takes one look-up from the budget; false when none is left. */
  take(): boolean;
  /** Returns a look-up that found a valid key, or that the store could not answer. */
  giveBack(): void;
}

/**
 * Makes the function that finds the caller of a request by its `Authorization` header. A key that was valid before is looked
 * up always, any other only within the budget (requests#anonymous-limit-spares-the-store). The function also stores when
 * each key was last used, and no call waits for that.
 */
export function createAuthenticate(
  service: Service,
): (authorization: string | null, budget: LookUpBudget) => Promise<Caller> {
  /** The keys that were valid when they were looked up last, by hash, each with the time of its last use that was stored. */
  const validKeys = new Map<string, number>();

  function remember(hash: string, lastStoredUse: number): void {
    const [oldest] = validKeys.keys();
    const isFull = validKeys.size >= LIMITS.callersRemembered && !validKeys.has(hash);
    if (isFull && oldest !== undefined) validKeys.delete(oldest);
    validKeys.set(hash, lastStoredUse);
  }

  function recordUse(hash: string, { id, lastUsedAt }: ApiKey): void {
    const now = service.clock.now();
    // Another process may have stored a later use than this process did: then the stored key shows it.
    const lastStoredUse = Math.max(lastUsedAt?.getTime() ?? -Infinity, validKeys.get(hash) ?? -Infinity);
    if (now.getTime() - lastStoredUse < LAST_USE_PRECISION_MS) {
      remember(hash, lastStoredUse);
      return;
    }
    remember(hash, now.getTime());
    service.store.touchApiKey(id, now).catch((error: unknown) => {
      service.logger.warn(
        { key: id, err: error },
        'The last use of an API key could not be stored. The call went on.',
      );
    });
  }

  return async (authorization, budget) => {
    const keyText = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (keyText === undefined || !isKeyText(keyText)) return { known: false, code: 'missing_api_key' };
    const hash = await hashKeyText(service.crypto, keyText);
    const known = validKeys.has(hash);
    // Taken before the look-up, so that many calls at once cannot exceed the budget together.
    if (!known && !budget.take()) return { known: false, code: 'invalid_api_key' };
    const found = await service.store.findApiKey(hash).catch((error: unknown) => {
      if (!known) budget.giveBack();
      throw error;
    });
    if (found === null) {
      validKeys.delete(hash);
      return { known: false, code: 'invalid_api_key' };
    }
    if (!known) budget.giveBack();
    recordUse(hash, found.key);
    return { known: true, ...found };
  };
}
