import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyPairSignerFromPrivateKeyBytes, getAddressEncoder } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signerFromKeyFile } from './key-file.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'subrail-key-'));
});
afterAll(() => rm(folder, { recursive: true }));

const secret = new Uint8Array(32).fill(7);
const { address } = await createKeyPairSignerFromPrivateKeyBytes(secret);
const json = JSON.stringify([...secret, ...getAddressEncoder().encode(address)]);

async function keyFile(text: string, mode: number): Promise<string> {
  const path = join(folder, `${mode.toString(8)}-${text.length}.json`);
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

describe('a key file', () => {
  it.each([0o600, 0o400])('is read when only its owner has permissions (%o)', async (mode) => {
    expect((await signerFromKeyFile(await keyFile(json, mode))).address).toBe(address);
  });

  it.each([0o640, 0o604, 0o660, 0o644, 0o601])(
    'is refused when others have permissions, with the command that removes them (%o)',
    async (mode) => {
      const path = await keyFile(json, mode);
      await expect(signerFromKeyFile(path)).rejects.toThrow(
        `The key file ${path} can be read or changed by other users. Run: chmod 600 ${path}`,
      );
    },
  );

  it('is named in the error when it is missing or holds no key', async () => {
    const missing = join(folder, 'nowhere.json');
    await expect(signerFromKeyFile(missing)).rejects.toThrow(
      `The key file ${missing} is missing or cannot be opened. Check the path and its permissions.`,
    );
    const wrong = await keyFile('[1,2,3]', 0o600);
    await expect(signerFromKeyFile(wrong)).rejects.toThrow(`The key file ${wrong} is not a Solana key`);
  });
});
