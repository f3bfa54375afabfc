import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { KeyPairSigner } from '@solana/kit';
import { loadOrCreateSigner } from '../../state/signer-file.js';
import { CommandFailed, UsageError } from '../errors.js';
import type { OpenedManager } from '../open-manager.js';
import { signerIn } from '../plan-owner.js';

/** Makes a new wallet in a file that only its owner can read. */
export async function createWallet(file: string): Promise<KeyPairSigner> {
  if (existsSync(file)) {
    throw new CommandFailed(`There is a file ${file} already. Choose another one with --out.`);
  }
  return loadOrCreateSigner(file);
}

/** The wallet in a file, or the demo wallet of the host on this machine. */
export async function openWallet(
  typed: string | undefined,
  { config }: OpenedManager,
  folder: string,
): Promise<KeyPairSigner> {
  if (typed === undefined && config === null)
    throw new UsageError('Add --wallet, the key file of the wallet.');
  const file = typed === undefined ? join(config?.dataDir ?? '', 'wallet.json') : resolve(folder, typed);
  if (!existsSync(file))
    throw new CommandFailed(`There is no wallet ${file}. "subrail local wallet" makes one.`);
  return signerIn(file);
}
