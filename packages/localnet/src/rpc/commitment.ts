import type { Localnet } from '../localnet.js';
import type { Param } from './params.js';
import { RpcError } from './rpc-error.js';

export const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;
export type Commitment = (typeof COMMITMENTS)[number];

/** A block is finalized when this many blocks follow it. It is confirmed at once, because there is one validator. */
const FINALITY = 31n;

/** The commitment that a request names; Solana's default is `finalized`. */
export function readCommitment(config: Param, name = 'commitment'): Commitment {
  const param = config.member(name);
  return param.given ? param.oneOf(COMMITMENTS) : 'finalized';
}

/** The newest slot at a commitment, but not before the chain's first. */
export function slotAt(chain: Localnet, commitment: Commitment): bigint {
  const { slot } = chain.clock;
  if (commitment !== 'finalized') return slot;
  return slot - FINALITY > chain.firstSlot ? slot - FINALITY : chain.firstSlot;
}

/** The commitment that a slot has reached. */
export function commitmentOf(chain: Localnet, slot: bigint): Commitment {
  return chain.clock.slot - slot >= FINALITY ? 'finalized' : 'confirmed';
}

/** Whether a slot has reached a commitment. */
export function hasReached(chain: Localnet, slot: bigint, commitment: Commitment): boolean {
  return commitment !== 'finalized' || commitmentOf(chain, slot) === 'finalized';
}

/**
 * The context of a response. Accounts are read as they are now, whatever the commitment, so it is always the current
 * slot.
 * @throws {RpcError} when the chain has not reached the request's `minContextSlot`
 */
export function context(
  chain: Localnet,
  config: Param,
): { readonly slot: bigint; readonly apiVersion: string } {
  assertReached(chain, config, readCommitment(config));
  return { slot: chain.clock.slot, apiVersion: API_VERSION };
}

/** @throws {RpcError} when the newest slot at a commitment is below the request's `minContextSlot` */
export function assertReached(chain: Localnet, config: Param, commitment: Commitment): void {
  const minContextSlot = config.member('minContextSlot');
  if (!minContextSlot.given) return;
  const contextSlot = slotAt(chain, commitment);
  if (contextSlot < minContextSlot.u64()) {
    throw new RpcError('minContextSlotNotReached', 'Minimum context slot has not been reached', {
      contextSlot,
    });
  }
}

/** The version of Solana's node software whose RPC this follows. */
export const API_VERSION = '3.0.0';
