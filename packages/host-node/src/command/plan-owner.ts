import { resolve } from 'node:path';
import { address, createSolanaRpc, type KeyPairSigner, type Rpc, type SolanaRpcApi } from '@solana/kit';
import { findAssociatedTokenPda } from '@solana-program/token-2022';
import { signerFromKeyFile } from '@subrail/adapters/node';
import { sendSigned } from '@subrail/adapters/solana';
import type { BuildAnswer, ManagedPlan } from '@subrail/core/schemas';
import { CommandFailed, UsageError } from './errors.js';
import type { OpenedManager } from './open-manager.js';
import { START } from './sandbox/command-name.js';

/** Signs and sends for the owner of a plan. */
export interface OwnerKeys {
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly signer: KeyPairSigner;
}

/**
 * The key of `--owner-key` and the chain, each null when unknown.
 * @throws UsageError for a key without a chain
 */
export async function ownerKeys(
  options: { readonly owner_key: string | undefined; readonly rpc: string | undefined },
  opened: OpenedManager,
  folder: string,
): Promise<{ readonly [Name in keyof OwnerKeys]: OwnerKeys[Name] | null }> {
  const rpc = rpcOf(options.rpc, opened);
  if (options.owner_key === undefined) return { rpc, signer: null };
  if (rpc !== null) return { rpc, signer: await signerIn(resolve(folder, options.owner_key)) };
  throw new UsageError(
    `To sign and send, the command must reach the chain: add --rpc, or start the host of the local chain with "${START}".`,
  );
}

/** A change of a plan: the service builds it, the owner signs and sends it, and the service confirms it. */
export interface SignedChange {
  readonly build: () => Promise<BuildAnswer>;
  readonly confirm: () => Promise<ManagedPlan>;
}

/** Makes a change with the owner's key. Without a key, returns the transaction for a wallet. */
export async function changeSigned(
  { build, confirm }: SignedChange,
  { rpc, signer }: Awaited<ReturnType<typeof ownerKeys>>,
): Promise<BuildAnswer | ManagedPlan> {
  const built = await build();
  if (signer === null || rpc === null) return built;
  try {
    await sendSigned({ rpc, signer, transaction: built.transaction });
  } catch (failure) {
    // An earlier run may have sent the change without seeing it land. The chain refuses it a second time.
    return confirm().catch(() => {
      throw failure;
    });
  }
  return confirm();
}

/** The token of a plan without `--mint`: the demo token of a local chain. */
export async function defaultMint({ config }: OpenedManager): Promise<string> {
  const ofLocalChain = async (folder: string) =>
    (await import('../local/local-keys.js')).readDemoMint(folder);
  const mint = config?.chain.kind === 'localnet' ? await ofLocalChain(config.dataDir) : null;
  if (mint === null) throw new UsageError('A plan needs --mint, the address of its token.');
  return mint;
}

export async function decimalsOf(rpc: Rpc<SolanaRpcApi> | null, mint: string): Promise<number> {
  if (rpc === null) throw new UsageError('Add --decimals, or --rpc to read the decimals of the token.');
  try {
    const { value } = await rpc.getTokenSupply(address(mint)).send();
    return value.decimals;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailed(`The token ${mint} cannot be read from the chain: ${reason}`, { cause });
  }
}

/** Whether a wallet can be paid: its associated account exists, not frozen. Null: the chain is silent. */
export async function hasTokenAccount(
  rpc: Rpc<SolanaRpcApi> | null,
  wallet: string,
  mint: string,
): Promise<boolean | null> {
  if (rpc === null) return null;
  try {
    const owner = address(wallet);
    const { value } = await rpc
      .getTokenAccountsByOwner(owner, { mint: address(mint) }, { encoding: 'jsonParsed' })
      .send();
    const associated = await Promise.all(
      value.map(async ({ pubkey, account }) => {
        const seeds = { owner, tokenProgram: account.owner, mint: address(mint) };
        const isAssociated = (await findAssociatedTokenPda(seeds))[0] === pubkey;
        return isAssociated && account.data.parsed.info.state === 'initialized';
      }),
    );
    return associated.includes(true);
  } catch {
    return null;
  }
}

function rpcOf(url: string | undefined, { rpc }: OpenedManager): Rpc<SolanaRpcApi> | null {
  if (url === undefined) return rpc;
  if (!URL.canParse(url)) throw new UsageError(`--rpc is "${url}": it must be the URL of an RPC server.`);
  return createSolanaRpc(url);
}

/** The signer of a key file. @throws CommandFailed when the file holds no key */
export async function signerIn(file: string): Promise<KeyPairSigner> {
  try {
    return await signerFromKeyFile(file);
  } catch (error) {
    throw error instanceof TypeError ? new CommandFailed(error.message, { cause: error }) : error;
  }
}
