import {
  address,
  createSolanaRpc,
  isAddress,
  lamports,
  type Address,
  type RequestAirdropApi,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit';
import { readRunningHost } from '../../state/running-host.js';
import { CommandFailed, NO_HOST, UsageError } from '../errors.js';
import type { OpenedManager } from '../open-manager.js';
import { START } from './command-name.js';

interface TokenAccountUpdate {
  readonly amount?: bigint;
  readonly state?: 'initialized' | 'frozen';
}

/** The cheat codes of a local chain. */
interface CheatApi {
  surfnet_timeTravel(config: { readonly absoluteTimestamp: bigint }): unknown;
  surfnet_setTokenAccount(
    owner: Address,
    mint: Address,
    update: TokenAccountUpdate,
    tokenProgram: Address,
  ): unknown;
  surfnet_setAccount(account: Address, update: { readonly data: string }): unknown;
}

/** The RPC of a local chain, with its cheat codes. */
export type SandboxRpc = Rpc<SolanaRpcApi & RequestAirdropApi & CheatApi>;

/**
 * Opens the local chain that a host charges on.
 * @param typed the value of `--rpc`
 * @throws UsageError when no chain is known, CommandFailed when the chain is not a local one or does not
 *   answer
 */
export async function openSandbox(opened: OpenedManager, typed: string | undefined): Promise<SandboxRpc> {
  const url = typed ?? urlOf(opened);
  if (!URL.canParse(url)) throw new UsageError(`--rpc is "${url}": it must be the URL of the local chain.`);
  const rpc = createSolanaRpc(url) as unknown as SandboxRpc;
  let version: object;
  try {
    version = await rpc.getVersion().send();
  } catch (cause) {
    throw new CommandFailed(`No chain answers at ${url}. Start the host with "${START}".`, { cause });
  }
  if ('subrail-localnet' in version) return rpc;
  throw new CommandFailed(
    `The chain at ${url} is not a local one. This command plays with the local chain of "${START}", and never with another.`,
  );
}

function urlOf({ config }: OpenedManager): string {
  if (config === null)
    throw new UsageError('Add --rpc, the address of the local chain that the host prints.');
  if (config.chain.kind === 'rpc') return config.chain.urls[0] ?? '';
  const host = readRunningHost(config.dataDir);
  if (host !== null && host.rpc_url !== null) return host.rpc_url;
  throw new CommandFailed(NO_HOST);
}

/** The time of the chain. @throws CommandFailed when the host of the chain was stopped meanwhile */
export async function chainTime(rpc: SandboxRpc): Promise<Date> {
  try {
    const slot = await rpc.getSlot({ commitment: 'processed' }).send();
    return new Date(Number(await rpc.getBlockTime(slot).send()) * 1_000);
  } catch (cause) {
    throw new CommandFailed('The local chain does not answer any more. Start its host, and run this again.', {
      cause,
    });
  }
}

/** A closer instant comes by itself, and might have passed when the chain is asked. */
const CLOSE_MS = 2_000;

/** Moves the chain's time ahead to an instant, unless the instant is close. */
export async function travelTo(rpc: SandboxRpc, instant: Date): Promise<void> {
  const isClose = async () => instant.getTime() - (await chainTime(rpc)).getTime() < CLOSE_MS;
  if (await isClose()) return;
  try {
    await rpc.surfnet_timeTravel({ absoluteTimestamp: BigInt(instant.getTime()) }).send();
  } catch (error) {
    // Another command may have moved the chain to this instant meanwhile, and it does not go back.
    if (!(await isClose())) throw error;
  }
}

export async function giveSol(rpc: SandboxRpc, wallet: Address, amount: bigint): Promise<void> {
  if (amount > 0n) await rpc.requestAirdrop(wallet, lamports(amount)).send();
}

/** Reads a typed address. */
export function readAddress(typed: string): Address {
  if (isAddress(typed)) return address(typed);
  throw new UsageError(`"${typed}" is not the address of a wallet.`);
}

/** Reads a typed amount, such as 12.5, in the smallest unit. */
export function readAmount(name: string, typed: string, decimals: number): bigint {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(typed) ?? [];
  if (whole === undefined || fraction.length > decimals) {
    throw new UsageError(
      `${name} is "${typed}": it must be a number with at most ${decimals} digits after the point.`,
    );
  }
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}
