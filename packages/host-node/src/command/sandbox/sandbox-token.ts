import {
  decodeMint,
  findAssociatedTokenPda,
  TOKEN_2022_PROGRAM_ADDRESS,
  type Mint,
} from '@solana-program/token-2022';
import { fetchEncodedAccount, getBase16Decoder, type Address } from '@solana/kit';
import { formatAmount } from '../../demo/format-amount.js';
import { DEMO_TOKEN } from '../../local/demo-token.js';
import { readDemoMint } from '../../local/local-keys.js';
import { CommandFailed } from '../command-failed.js';
import type { OpenedManager } from '../open-manager.js';
import { UsageError } from '../usage-error.js';
import { readAddress, type SandboxRpc } from './sandbox.js';

/** A token of the local chain, whose balances need no authority. */
export interface SandboxToken {
  readonly mint: Address;
  readonly program: Address;
  readonly decimals: number;
  readonly symbol: string;
}

/** The token that was named, or the demo token of the host on this machine. */
export async function findToken(
  rpc: SandboxRpc,
  { config }: OpenedManager,
  named: string | undefined,
): Promise<SandboxToken> {
  // A host creates the demo token together with its local chain. On RPC servers there is none.
  const demo = config === null ? null : await readDemoMint(config.dataDir);
  const given = named ?? demo;
  if (given === null)
    throw new UsageError('Add --mint, the address of the token. "subrail local token" makes one.');
  const mint = readAddress(given);
  const { program, data } = await readMint(rpc, mint);
  return { mint, program, decimals: data.decimals, symbol: mint === demo ? DEMO_TOKEN.symbol : mint };
}

async function readMint(rpc: SandboxRpc, mint: Address): Promise<{ program: Address; data: Mint }> {
  const account = await fetchEncodedAccount(rpc, mint, { commitment: 'confirmed' });
  try {
    if (account.exists) return { program: account.programAddress, data: decodeMint(account).data };
  } catch {
    // Another account is no token either.
  }
  throw new CommandFailed(`There is no token ${mint} on the local chain.`);
}

/** What a wallet has of a token, in the smallest unit; null when it has no account for it. */
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

/** Sets what a wallet has of a token, or freezes its account or thaws it. */
export async function setTokenAccount(
  rpc: SandboxRpc,
  { mint, program }: SandboxToken,
  wallet: Address,
  update: { readonly amount?: bigint; readonly state?: 'initialized' | 'frozen' },
): Promise<void> {
  await rpc.surfnet_setTokenAccount(wallet, mint, update, program).send();
}

/** An amount as a person reads it. */
export function shownAmount(token: SandboxToken, amount: bigint): string {
  return formatAmount(amount, token);
}

/** Where the list of a mint's extensions starts, after the accounts' common size and the kind of the account. */
const EXTENSIONS_OFFSET = 166;
const ENTRY_HEADER = 4;
const PAUSABLE = 26;
/** The byte in the extension that says whether the token is paused, after the authority that may pause it. */
const PAUSED_OFFSET = 32;

/**
 * Pauses every transfer of a token, or lets it go on.
 * @throws CommandFailed for a token that nobody could pause
 */
export async function setPaused(rpc: SandboxRpc, token: SandboxToken, paused: boolean): Promise<void> {
  const account = await fetchEncodedAccount(rpc, token.mint, { commitment: 'confirmed' });
  const data = Uint8Array.from(account.exists ? account.data : []);
  const pausable = token.program === TOKEN_2022_PROGRAM_ADDRESS ? pausableAt(data) : null;
  if (pausable === null) {
    throw new CommandFailed(
      `Nobody can pause the token ${token.mint}: it is not a Token-2022 token with the extension "pausable". "subrail local token" makes one that can be paused.`,
    );
  }
  data[pausable + PAUSED_OFFSET] = paused ? 1 : 0;
  await rpc.surfnet_setAccount(token.mint, { data: getBase16Decoder().decode(data) }).send();
}

function pausableAt(data: Uint8Array): number | null {
  const view = new DataView(data.buffer);
  for (let at = EXTENSIONS_OFFSET; at + ENTRY_HEADER <= data.length;) {
    const kind = view.getUint16(at, true);
    if (kind === 0) return null;
    if (kind === PAUSABLE) return at + ENTRY_HEADER;
    at += ENTRY_HEADER + view.getUint16(at + 2, true);
  }
  return null;
}
