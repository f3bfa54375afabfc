import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKeyPairSignerFromPrivateKeyBytes, getBase58Encoder } from '@solana/kit';
import { signMessage } from '@subrail/localnet';
import { expect, it } from 'vitest';
import { walletFromFile } from '../index.js';

it('takes the wallet of a key file, and says what to do without one', async () => {
  const seed = new Uint8Array(32).fill(7);
  const signer = await createKeyPairSignerFromPrivateKeyBytes(seed);
  const folder = mkdtempSync(join(tmpdir(), 'subrail-wallet-'));
  const file = join(folder, 'ada.json');
  await expect(walletFromFile(file)).rejects.toThrow(`The key file ${file} is missing`);
  const secret = [...seed, ...getBase58Encoder().encode(signer.address)];
  writeFileSync(file, JSON.stringify(secret), { mode: 0o600 });
  const wallet = await walletFromFile(file);
  rmSync(folder, { recursive: true });
  expect(wallet.address).toBe(signer.address);
  expect(await wallet.signMessage('I agree.')).toBe(await signMessage(signer, 'I agree.'));
});
