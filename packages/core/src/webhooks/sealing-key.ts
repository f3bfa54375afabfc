import type { CryptoProvider } from '../ports/crypto.js';
import type { StoreOperations } from '../ports/store.js';
import type { Endpoint, SigningSecret } from '../records/index.js';
import { openSecret } from './signing.js';

/**
 * Whether the sealing key belongs to the stored secrets: `ok`, it opens some of those looked at; `wrong`, it opens none;
 * `unused`, none is stored yet; `unknown`, the store is unavailable.
 */
export type SealingKeyState = 'ok' | 'wrong' | 'unused' | 'unknown';

/** How many endpoints a check looks at. More than one, so that one damaged secret is not taken for a wrong key. */
const ENDPOINTS_CHECKED = 5;

/**
 * Makes the check of the sealing key against the newest stored secrets. It never rejects. `ok` is final, because the key
 * of a process does not change; every other result is checked again at the next call.
 */
export function createSealingKeyCheck({
  store,
  crypto,
}: {
  readonly store: Pick<StoreOperations, 'listNewestEndpoints'>;
  readonly crypto: CryptoProvider;
}): () => Promise<SealingKeyState> {
  let opened = false;

  const newestEndpoints = async (): Promise<readonly Endpoint[] | null> => {
    try {
      return await store.listNewestEndpoints(ENDPOINTS_CHECKED);
    } catch {
      return null;
    }
  };
  const opensAny = async (secrets: readonly SigningSecret[]): Promise<boolean> => {
    for (const secret of secrets) {
      const isOpen = await openSecret(crypto, secret).then(
        () => true,
        () => false,
      );
      if (isOpen) return true;
    }
    return false;
  };

  return async () => {
    if (opened) return 'ok';
    const endpoints = await newestEndpoints();
    if (endpoints === null) return 'unknown';
    const secrets = endpoints.flatMap((endpoint) => endpoint.secrets);
    if (secrets.length === 0) return 'unused';
    opened = await opensAny(secrets);
    return opened ? 'ok' : 'wrong';
  };
}
