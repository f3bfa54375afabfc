import type { Localnet } from '../localnet.js';
import type { Param } from './params.js';
import { RpcError } from './rpc-error.js';

export const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;
export type Commitment = (typeof COMMITMENTS)[number];

/**
 * The blocks, the open one included, after one that reached a commitment. One validator confirms what it
 * closes.
 */
const BLOCKS_AFTER: Readonly<Record<Commitment, bigint>> = { processed: 0n, confirmed: 1n, finalized: 31n };

/** The commitment that a request names; Solana's default is `finalized`. */
export function readCommitment(config: Param, name = 'commitment'): Commitment {
  return config.member(name).or('finalized', (param) => param.oneOf(COMMITMENTS));
}

/** The newest slot at a commitment, but not before the chain's first. */
export function slotAt(chain: Localnet, commitment: Commitment): bigint {
  const { slot } = chain.clock;
  const newest = slot - BLOCKS_AFTER[commitment];
  return newest > chain.firstSlot ? newest : chain.firstSlot;
}

/** The commitment that a slot has reached. */
export function commitmentOf(chain: Localnet, slot: bigint): Commitment {
  if (hasReached(chain, slot, 'finalized')) return 'finalized';
  return hasReached(chain, slot, 'confirmed') ? 'confirmed' : 'processed';
}

export function hasReached(chain: Localnet, slot: bigint, commitment: Commitment): boolean {
  return chain.clock.slot - slot >= BLOCKS_AFTER[commitment];
}

/**
 * The context of a response: the newest slot at the request's commitment. Accounts are read as they are now.
 * @throws {RpcError} when the chain has not reached the request's `minContextSlot`
 */
export function context(
  chain: Localnet,
  config: Param,
): { readonly slot: bigint; readonly apiVersion: string } {
  const commitment = readCommitment(config);
  assertReached(chain, config, commitment);
  return { slot: slotAt(chain, commitment), apiVersion: API_VERSION };
}

/** @throws {RpcError} when the newest slot at a commitment is below the request's `minContextSlot` */
export function assertReached(chain: Localnet, config: Param, commitment: Commitment): void {
  const minContextSlot = config.member('minContextSlot');
  if (!minContextSlot.given) return;
  const newest = slotAt(chain, commitment);
  if (newest < minContextSlot.u64()) {
    throw new RpcError('minContextSlotNotReached', 'Minimum context slot has not been reached', {
      contextSlot: newest,
    });
  }
}

/** The version of Solana's node software whose RPC this follows. */
export const API_VERSION = '3.0.0';
