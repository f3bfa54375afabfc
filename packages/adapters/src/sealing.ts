import type { CryptoProvider } from '@subrail/core/ports';
import { KEY_BYTES, keyIdOf, packSealed, unpackSealed, type SealedParts } from './sealed-text.js';

/** AES-256-GCM under one key. */
export interface Cipher {
  encrypt(plain: Uint8Array): Promise<SealedParts>;
  /** Rejects parts of another key, or changed ones. */
  decrypt(parts: SealedParts): Promise<Uint8Array>;
}

export interface Platform {
  readonly mac: CryptoProvider['mac'];
  readonly cipherOf: (key: Uint8Array) => Cipher;
}

/**
 * Seals with the newest key, and opens what any of the keys sealed. Throws a TypeError for a key of a wrong
 * length, without the key.
 */
export function createSealing(
  newest: Uint8Array,
  older: readonly Uint8Array[],
  { mac, cipherOf }: Platform,
): Pick<CryptoProvider, 'seal' | 'open' | 'reseal'> {
  requireKeyLength('The sealing key', newest);
  for (const key of older) requireKeyLength('An older sealing key', key);

  const named = (key: Uint8Array) => {
    const id = keyIdOf(key, mac);
    // A failure shows at the first seal, not as an unhandled rejection.
    id.catch(() => undefined);
    return { id, cipher: cipherOf(key) };
  };
  const current = named(newest);
  const keys = [current, ...older.map(named)];

  const seal = async (plain: Uint8Array) => packSealed(await current.id, await current.cipher.encrypt(plain));
  const open = async (sealed: string) => {
    const { keyId, parts } = unpackSealed(sealed);
    if (keyId === null) return openWithAny(keys, parts);
    const ids = await Promise.all(keys.map(({ id }) => id));
    const key = keys[ids.indexOf(keyId)];
    if (key === undefined) {
      throw new Error(
        `A sealed secret cannot be opened: the key ${keyId} sealed it, and the sealing keys are ${ids.join(', ')}.`,
      );
    }
    return key.cipher.decrypt(parts);
  };
  return {
    seal,
    open,
    async reseal(sealed) {
      const plain = await open(sealed);
      return unpackSealed(sealed).keyId === (await current.id) ? null : seal(plain);
    },
  };
}

/** An earlier release did not name the key. */
async function openWithAny(
  keys: readonly { readonly cipher: Cipher }[],
  parts: SealedParts,
): Promise<Uint8Array> {
  for (const { cipher } of keys) {
    const plain = await cipher.decrypt(parts).catch(() => null);
    if (plain !== null) return plain;
  }
  throw new Error('A sealed secret cannot be opened: another key sealed it, or it was changed since.');
}

function requireKeyLength(which: string, { length }: Uint8Array): void {
  if (length !== KEY_BYTES) {
    throw new TypeError(`${which} must have ${KEY_BYTES} bytes, but has ${length}.`);
  }
}
