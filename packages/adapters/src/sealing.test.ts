import { describe, expect, it } from 'vitest';
import { createCrypto, sealingKeyId } from './node/index.js';
import { createWebCrypto } from './web/crypto/crypto.js';

const KEY = new Uint8Array(32).fill(1);
const OLD = new Uint8Array(32).fill(2);
const OLDER = new Uint8Array(32).fill(3);
const SECRET = 'whsec_c2VjcmV0';

/** The secret as an earlier release sealed it with `OLDER`. */
const SEALED_BEFORE = 'v1.CQkJCQkJCQkJCQkJMAxplE0M-OWDPYmRLCyHnnNgHr7tIi9b3GQLPvGF';

/** What names the three keys, by HMAC-SHA256. */
const IDS = { key: 'add3fa166b843a7a', old: 'c713e0e5ee3ffebf', older: '4efcff10b34aaa49' };

const bytes = new TextEncoder().encode(SECRET);
const text = (plain: Uint8Array) => new TextDecoder().decode(plain);

// deliveries#sealing-key-rotation
it('a key is known by the id that its texts name', async () => {
  expect(await Promise.all([KEY, OLD, OLDER].map(sealingKeyId))).toEqual(Object.values(IDS));
});

// deliveries#sealing-key-rotation
describe.each([
  ['node:crypto', createCrypto],
  ['WebCrypto', createWebCrypto],
])('a sealed text of %s', (_, create) => {
  const keys = create(KEY, { older: [OLD, OLDER] });

  it('names the key that sealed it, always by the same id, and has nothing of the key', async () => {
    expect(await create(KEY).seal(bytes)).toMatch(new RegExp(`^v2\\.${IDS.key}\\.[\\w-]+$`));
    expect(await create(OLD).seal(bytes)).toMatch(new RegExp(`^v2\\.${IDS.old}\\.`));
    expect(await keys.seal(bytes)).toMatch(new RegExp(`^v2\\.${IDS.key}\\.`));
  });

  it('opens with the key that it names, whatever the other adapter sealed', async () => {
    for (const other of [createCrypto, createWebCrypto]) {
      for (const key of [KEY, OLD, OLDER]) {
        expect(text(await keys.open(await other(key).seal(bytes)))).toBe(SECRET);
      }
    }
  });

  it('is refused by the id of its key when that one is not given, without any of a key', async () => {
    const sealed = await create(OLDER).seal(bytes);
    await expect(create(KEY, { older: [OLD] }).open(sealed)).rejects.toThrow(
      `A sealed secret cannot be opened: the key ${IDS.older} sealed it, and the sealing keys are ${IDS.key}, ${IDS.old}.`,
    );
  });

  it('does not open under the id of another key', async () => {
    const sealed = await create(OLD).seal(bytes);
    await expect(keys.open(sealed.replace(IDS.old, IDS.key))).rejects.toThrow();
  });

  it('of an earlier release, which names no key, opens with whichever key fits, and is sealed anew', async () => {
    expect(text(await keys.open(SEALED_BEFORE))).toBe(SECRET);
    expect(text(await create(OLDER).open(SEALED_BEFORE))).toBe(SECRET);
    await expect(create(KEY, { older: [OLD] }).open(SEALED_BEFORE)).rejects.toThrow(
      'A sealed secret cannot be opened: another key sealed it, or it was changed since.',
    );
    for (const crypto of [keys, create(OLDER)]) {
      const resealed = await crypto.reseal(SEALED_BEFORE);
      expect(resealed).toMatch(/^v2\./);
      expect(text(await crypto.open(resealed ?? ''))).toBe(SECRET);
    }
  });

  it('is no other text than one that was sealed', async () => {
    const sealed = await keys.seal(bytes);
    for (const changed of [
      '',
      'v2.',
      `v3${sealed.slice(2)}`,
      `${sealed}.`,
      `${sealed}\n`,
      sealed.toUpperCase(),
    ]) {
      await expect(keys.open(changed)).rejects.toThrow('the stored text was changed, or was not written by');
    }
  });
});
