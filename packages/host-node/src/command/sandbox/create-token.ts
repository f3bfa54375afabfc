import {
  extension,
  getInitializePausableConfigInstruction,
  getMintSize,
  TOKEN_2022_PROGRAM_ADDRESS,
} from '@solana-program/token-2022';
import { generateKeyPairSigner, type Address } from '@solana/kit';
import { createMint } from '@subrail/localnet';
import { giveSol, type SandboxRpc } from './sandbox.js';

const FEES = 1_000_000_000n;

/** Makes a Token-2022 token that can be paused. No authority is kept: the local chain mints without it. */
export async function createToken(rpc: SandboxRpc, decimals: number): Promise<Address> {
  const [authority, mint] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  await giveSol(rpc, authority.address, FEES);
  const pausable = extension('PausableConfig', { authority: authority.address, paused: false });
  await createMint(rpc, authority, mint, {
    decimals,
    program: TOKEN_2022_PROGRAM_ADDRESS,
    bytes: getMintSize([pausable]),
    extend: [getInitializePausableConfigInstruction({ mint: mint.address, authority: authority.address })],
  });
  return mint.address;
}
