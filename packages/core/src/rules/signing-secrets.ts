import type { SigningSecret } from '../records/index.js';

/** Returns the secrets that sign at `now`, newest first. An expired one signs nothing, not even a retry. */
export function liveSecrets(secrets: readonly SigningSecret[], now: Date): readonly SigningSecret[] {
  return secrets
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
}

/**
 * Returns an endpoint's secrets after a rotation: the new one, then the newest of the old ones until the
 * overlap ends, and no third. With `overlapMs` 0 the old one expires at once.
 */
export function rotateSecrets(
  secrets: readonly SigningSecret[],
  fresh: SigningSecret,
  now: Date,
  overlapMs: number,
): readonly SigningSecret[] {
  const [previous] = liveSecrets(secrets, now);
  if (previous === undefined || overlapMs === 0) return [fresh];
  return [fresh, { ...previous, expiresAt: new Date(now.getTime() + overlapMs) }];
}
