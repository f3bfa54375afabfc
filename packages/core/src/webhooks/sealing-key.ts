import type { CryptoProvider } from '../ports/crypto.js';
import type { Clock } from '../ports/clock.js';
import type { EndpointBatch, ManagementStore } from '../ports/store.js';
import type { EndpointId, SigningSecret } from '../records/index.js';
import { isWithin } from '../ports/is-within.js';
import { openSecret } from './signing.js';

/**
 * Whether the sealing keys open stored secrets: `ok`, some; `wrong`, none; `unused`, no secret is stored yet;
 * `unknown`, the store is unavailable, can read no endpoint, or lacks `ManagementStore`.
 */
export type SealingKeyState = 'ok' | 'wrong' | 'unused' | 'unknown';

/** How many endpoints are read at once. With the right key the first of them ends the check. */
const BATCH = 10;

/**
 * How long a result holds, so that frequent health checks do not open every secret again. Another host may
 * seal the secrets anew with a key that this one does not have.
 */
const HELD_MS = 10_000;

/**
 * Makes the check of this process's sealing keys against the stored secrets. The check never rejects. `ok`
 * and `wrong` are at most ten seconds old.
 */
export function createSealingKeyCheck({
  store,
  crypto,
  wallClock,
}: {
  readonly store: Pick<ManagementStore, 'listEndpointsAfter'>;
  readonly crypto: Pick<CryptoProvider, 'open'>;
  readonly wallClock: Pick<Clock, 'now'>;
}): () => Promise<SealingKeyState> {
  /** `since` is null while the state is not known yet. */
  let held: { readonly state: Promise<SealingKeyState>; readonly since: Date | null } | null = null;

  const opens = (secret: SigningSecret): Promise<boolean> =>
    openSecret(crypto, secret).then(
      () => true,
      () => false,
    );
  const search = async (): Promise<SealingKeyState> => {
    let state: SealingKeyState = 'unused';
    let after: EndpointId | null = null;
    for (;;) {
      const { endpoints, unreadable, next }: EndpointBatch = await store.listEndpointsAfter(after, BATCH);
      if (state === 'unused' && unreadable.length > 0) state = 'unknown';
      for (const secret of endpoints.flatMap(({ secrets }) => secrets)) {
        if (await opens(secret)) return 'ok';
        state = 'wrong';
      }
      if (next === null) return state;
      after = next;
    }
  };

  return async () => {
    if (held !== null && (held.since === null || isWithin(held.since, HELD_MS, wallClock.now())))
      return held.state;
    const state = search().catch(() => 'unknown' as const);
    // Until it is known, every caller waits for the same search.
    held = { state, since: null };
    const holds = ['ok', 'wrong'].includes(await state);
    held = holds ? { state, since: wallClock.now() } : null;
    return state;
  };
}
