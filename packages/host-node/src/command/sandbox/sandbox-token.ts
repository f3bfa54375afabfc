import { decodeMint, findAssociatedTokenPda, getMintEncoder, type Mint } from '@solana-program/token-2022';
import { fetchEncodedAccount, getBase16Decoder, unwrapOption, type Address } from '@solana/kit';
import { DEMO_TOKEN } from '../../local/demo-token.js';
import { readDemoMint } from '../../local/local-keys.js';
import { CommandFailed, UsageError } from '../errors.js';
import type { OpenedManager } from '../open-manager.js';
import { readAddress, type SandboxRpc } from './sandbox.js';

/** A token of the local chain, whose balances need no authority. */
export interface SandboxToken {
  readonly mint: Address;
  readonly program: Address;
  readonly decimals: number;
  readonly symbol: string;
}

/** The named token, or the demo token of the host on this machine. */
export async function findToken(
  rpc: SandboxRpc,
  { config }: OpenedManager,
  typed: string | undefined,
): Promise<SandboxToken> {
  // Only a host with a local chain has a demo token.
  const demo = config === null ? null : await readDemoMint(config.dataDir);
  const address = typed ?? demo;
  if (address === null)
    throw new UsageError('Add --mint, the address of the token. "subrail local token" makes one.');
  const mint = readAddress(address);
  const { program, data } = await readMint(rpc, mint);
  return { mint, program, decimals: data.decimals, symbol: mint === demo ? DEMO_TOKEN.symbol : mint };
}

async function readMint(rpc: SandboxRpc, mint: Address): Promise<{ program: Address; data: Mint }> {
  const account = await fetchEncodedAccount(rpc, mint, { commitment: 'confirmed' });
  try {
    if (account.exists) return { program: account.programAddress, data: decodeMint(account).data };
  } catch {
    // An account of another kind is no token.
  }
  throw new CommandFailed(`There is no token ${mint} on the local chain.`);
}

/** A wallet's balance of a token in the smallest unit; null without an account. */
export async function balanceOf(
  rpc: SandboxRpc,
  { mint, program }: SandboxToken,
  wallet: Address,
): Promise<bigint | null> {
  const [account] = await findAssociatedTokenPda({ owner: wallet, tokenProgram: program, mint });
  const { value } = await rpc.getAccountInfo(account, { encoding: 'base64', commitment: 'confirmed' }).send();
  if (value === null) return null;
  return BigInt((await rpc.getTokenAccountBalance(account, { commitment: 'confirmed' }).send()).value.amount);
}

/** Sets a wallet's balance of a token, or freezes or thaws its account. */
export async function setTokenAccount(
  rpc: SandboxRpc,
  { mint, program }: SandboxToken,
  wallet: Address,
  update: { readonly amount?: bigint; readonly state?: 'initialized' | 'frozen' },
): Promise<void> {
  await rpc.surfnet_setTokenAccount(wallet, mint, update, program).send();
}

/**
 * Pauses every transfer of a token, or lets it go on.
 * @throws CommandFailed for a token that nobody could pause
 */
export async function setPaused(rpc: SandboxRpc, token: SandboxToken, paused: boolean): Promise<void> {
  const { data } = await readMint(rpc, token.mint);
  const extensions = unwrapOption(data.extensions) ?? [];
  if (!extensions.some(({ __kind }) => __kind === 'PausableConfig')) {
    throw new CommandFailed(
      `Nobody can pause the token ${token.mint}: it is not a Token-2022 token with the extension "pausable". "subrail local token" makes one that can be paused.`,
    );
  }
  const changed = extensions.map((one) => (one.__kind === 'PausableConfig' ? { ...one, paused } : one));
  const bytes = getMintEncoder().encode({ ...data, extensions: changed });
  await rpc.surfnet_setAccount(token.mint, { data: getBase16Decoder().decode(bytes) }).send();
}
