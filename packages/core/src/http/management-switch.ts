import type { Service } from '../service.js';
import { heldAnswer } from './held-answer.js';

/** Cached for this long, so unauthenticated calls do not reach the store. */
const HOLDS_MS = 5_000;

/**
 * Makes the function that tells whether HTTP management is on: whether a management key exists that was not
 * revoked (management#off-without-a-key). On until the store answers; off with a store that has no such keys.
 */
export function createManagementSwitch({ store, lacks, wallClock }: Service): () => Promise<boolean> {
  if (lacks.has('ManagementStore')) return () => Promise.resolve(false);
  return heldAnswer(wallClock, HOLDS_MS, () =>
    store.listManagementKeys().then(
      (keys) => keys.some(({ revokedAt }) => revokedAt === null),
      () => true,
    ),
  );
}
