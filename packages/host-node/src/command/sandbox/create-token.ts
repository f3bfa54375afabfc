import { getCreateAccountInstruction } from '@solana-program/system';
import {
  extension,
  getInitializeMint2Instruction,
  getInitializePausableConfigInstruction,
  getMintSize,
  TOKEN_2022_PROGRAM_ADDRESS,
} from '@solana-program/token-2022';
import { generateKeyPairSigner, type Address } from '@solana/kit';
import { sendInstructions } from '@subrail/localnet';
import { giveSol, type SandboxRpc } from './sandbox.js';

const FEES = 1_000_000_000n;

/** Makes a Token-2022 token that can be paused. No authority is kept: the local chain mints without it. */
export async function createToken(rpc: SandboxRpc, decimals: number): Promise<Address> {
  const [authority, mint] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  await giveSol(rpc, authority.address, FEES);
  const pausable = extension('PausableConfig', { authority: authority.address, paused: false });
  const space = BigInt(getMintSize([pausable]));
  await sendInstructions(rpc, authority, [
    getCreateAccountInstruction({
      payer: authority,
      newAccount: mint,
      lamports: await rpc.getMinimumBalanceForRentExemption(space).send(),
      space,
      programAddress: TOKEN_2022_PROGRAM_ADDRESS,
    }),
    getInitializePausableConfigInstruction({ mint: mint.address, authority: authority.address }),
    getInitializeMint2Instruction({ mint: mint.address, decimals, mintAuthority: authority.address }),
  ]);
  return mint.address;
}
