import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyPairSignerFromPrivateKeyBytes, getBase58Decoder } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signerFromKeyFile } from './key-file.js';
import { SECRET, keyFileText } from './tests/keys.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "subrail's key-"));
});
afterAll(() => rm(folder, { recursive: true }));

const { address } = await createKeyPairSignerFromPrivateKeyBytes(SECRET);
const json = await keyFileText();

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

  // A shell reads the path of an advice as one word.
  const word = (path: string) => `'${path.replace("'", `'\\''`)}'`;

  it.each([0o640, 0o604, 0o660, 0o644, 0o601])(
    'is refused when others have permissions, with the command that removes them (%o)',
    async (mode) => {
      const path = await keyFile(json, mode);
      await expect(signerFromKeyFile(path)).rejects.toThrow(
        `The key file ${path} can be read or changed by other users. Run: chmod 600 ${word(path)}`,
      );
    },
  );

  it('is named in the error when it is missing or holds no key', async () => {
    const missing = join(folder, 'nowhere.json');
    await expect(signerFromKeyFile(missing)).rejects.toThrow(
      `The key file ${missing} is missing or cannot be opened. Check the path and its permissions. To make a new key, run: solana-keygen new -o ${word(missing)} (or subrail keygen --out ${word(missing)})`,
    );
    const wrong = await keyFile('[1,2,3]', 0o600);
    await expect(signerFromKeyFile(wrong)).rejects.toThrow(`The key file ${wrong} is not a Solana key`);
  });

  it.each([
    ['its list of bytes', json],
    ['its list of bytes on many lines', JSON.stringify(JSON.parse(json), null, 2)],
    ['a part of its list', json.slice(1, 60)],
    ['its base58', getBase58Decoder().decode(Uint8Array.from(JSON.parse(json) as number[]))],
    ['its base58 in quotes', `"${getBase58Decoder().decode(Uint8Array.from(JSON.parse(json) as number[]))}"`],
    ['its seed in hexadecimal digits', Buffer.from(SECRET).toString('hex')],
    ['its base64', Buffer.from(JSON.parse(json) as number[]).toString('base64')],
    ['a base64 with slashes', '/+/aB'.repeat(16)],
  ])('is not shown when it is given in place of its path: %s', async (_, key) => {
    const error: unknown = await signerFromKeyFile(key).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    // The stack begins with the message.
    const { message, stack } = error as TypeError;
    expect(message).toContain('Give the path of a file.');
    for (let start = 0; start + 8 <= key.length; start += 1) {
      expect(`${message} ${stack}`).not.toContain(key.slice(start, start + 8));
    }
  });

  it('is refused when it is a folder', async () => {
    await expect(signerFromKeyFile(folder)).rejects.toThrow(`The key file ${folder} is not a file.`);
  });
});
