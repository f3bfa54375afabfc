import { isWithin } from '../ports/is-within.js';
import type { Service } from '../service.js';

/** How long an answer holds, so that strangers cannot make the store busy. */
const HOLDS_MS = 5_000;

/**
 * Makes the function that tells whether anybody may manage over HTTP: whether a management key exists that was not revoked
 * (management#off-without-a-key). Until the store answers, somebody may.
 */
export function createManagementSwitch({ store, wallClock }: Service): () => Promise<boolean> {
  let known: { readonly since: Date; readonly isOn: Promise<boolean> } | null = null;
  return () => {
    const now = wallClock.now();
    if (known === null || !isWithin(known.since, HOLDS_MS, now)) {
      const isOn = store.listManagementKeys().then(
        (keys) => keys.some(({ revokedAt }) => revokedAt === null),
        () => true,
      );
      known = { since: now, isOn };
    }
    return known.isOn;
  };
}
