import { LIMITS } from '../contract/limits.js';
import { hashKeyText, isKeyText } from '../operations/projects/key-text.js';
import type { ApiKey, Project } from '../records/index.js';
import type { Service } from '../service.js';
import { FixedWindows } from './fixed-windows.js';

/** Whose key a request carries, or why it carries none that counts (requests#bearer-authentication). */
export type Caller =
  | { readonly known: true; readonly key: ApiKey; readonly project: Project }
  | { readonly known: false; readonly code: 'missing_api_key' | 'invalid_api_key' };

/** Last use is kept to the minute (requests#api-key-format). */
const KEPT_TO_MS = 60_000;

/** Tells who calls by a request's `Authorization`, and keeps when each key was last used without making a call wait for that. */
export function createAuthenticate(service: Service): (authorization: string | null) => Promise<Caller> {
  const uses = new FixedWindows(service.clock, LIMITS.callersRemembered);

  function keepUse({ id, lastUsedAt }: ApiKey): void {
    const now = service.clock.now();
    // Another process may have kept it within the minute: then the stored key says so.
    const kept = lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() < KEPT_TO_MS;
    if (kept || uses.count(id, 1).over) return;
    service.store.touchApiKey(id, now).catch((error: unknown) => {
      service.logger.warn({ key: id, error: String(error) }, "a key's last use was not kept");
    });
  }

  return async (authorization) => {
    const keyText = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (keyText === undefined || !isKeyText(keyText)) return { known: false, code: 'missing_api_key' };
    const found = await service.store.findApiKey(await hashKeyText(service.crypto, keyText));
    if (found === null) return { known: false, code: 'invalid_api_key' };
    keepUse(found.key);
    return { known: true, ...found };
  };
}
