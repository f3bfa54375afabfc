import { LIMITS } from '../contract/limits.js';
import { hashKeyText, isKeyText } from '../operations/projects/key-text.js';
import type { ApiKey, Project } from '../records/index.js';
import type { Service } from '../service.js';
import { FixedWindows } from './fixed-windows.js';

/** Who sent a request: its key and the key's project, or the code that refuses a request without a valid key. */
export type Caller =
  | { readonly known: true; readonly key: ApiKey; readonly project: Project }
  | { readonly known: false; readonly code: 'missing_api_key' | 'invalid_api_key' };

/** The last use of a key is stored at most once a minute. */
const LAST_USE_PRECISION_MS = 60_000;

/**
 * Makes the function that finds the caller of a request by its `Authorization` header. It also stores when each key was last
 * used, and no call waits for that.
 */
export function createAuthenticate(service: Service): (authorization: string | null) => Promise<Caller> {
  const uses = new FixedWindows(service.clock, LIMITS.callersRemembered);

  function recordUse({ id, lastUsedAt }: ApiKey): void {
    const now = service.clock.now();
    // Another process may have stored a use within the minute: then the stored key shows it.
    const recent = lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() < LAST_USE_PRECISION_MS;
    if (recent || uses.count(id, 1).over) return;
    service.store.touchApiKey(id, now).catch((error: unknown) => {
      service.logger.warn(
        { key: id, err: error },
        'the last use of an API key could not be stored; the call went on',
      );
    });
  }

  return async (authorization) => {
    const keyText = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (keyText === undefined || !isKeyText(keyText)) return { known: false, code: 'missing_api_key' };
    const found = await service.store.findApiKey(await hashKeyText(service.crypto, keyText));
    if (found === null) return { known: false, code: 'invalid_api_key' };
    recordUse(found.key);
    return { known: true, ...found };
  };
}
