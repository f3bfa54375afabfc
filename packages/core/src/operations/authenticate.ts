import type { ApiKey, ApiKeyId, Project } from '../records/index.js';
import type { Service } from '../service.js';
import { hashKeyText, isKeyText } from './key-text.js';

/** Last use is kept to the minute (D1.2). */
const TOUCH_EVERY_MS = 60_000;

/** Whose key it is: the live key and its project, or null when it is no key, not known, or revoked. */
export type Authenticate = (
  keyText: string,
) => Promise<{ readonly key: ApiKey; readonly project: Project } | null>;

/** Looks keys up and keeps when each was last used, without making its caller wait for that. */
export function createAuthenticate(service: Service): Authenticate {
  const touched = new Map<ApiKeyId, number>();

  function touch(key: ApiKey): void {
    const at = service.clock.now();
    const since = at.getTime() - TOUCH_EVERY_MS;
    const last = Math.max(touched.get(key.id) ?? 0, key.lastUsedAt?.getTime() ?? 0);
    if (last > since) return;
    // Oldest first, because a key is put back at the end: what is over goes, so that memory holds one minute's keys.
    for (const [id, time] of touched) {
      if (time > since) break;
      touched.delete(id);
    }
    touched.set(key.id, at.getTime());
    service.store.touchApiKey(key.id, at).catch((error: unknown) => {
      service.logger.warn({ key: key.id, error: String(error) }, "a key's last use was not kept");
    });
  }

  return async (keyText) => {
    if (!isKeyText(keyText)) return null;
    const found = await service.store.findApiKey(await hashKeyText(service.crypto, keyText));
    if (found !== null) touch(found.key);
    return found;
  };
}
