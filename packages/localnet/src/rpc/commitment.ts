import type { Localnet } from '../localnet.js';
import type { Param } from './params.js';
import { RpcError } from './rpc-error.js';

export const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const;
export type Commitment = (typeof COMMITMENTS)[number];

/** A block is final when so many are on top of it. Everything else is decided at once, there being one validator. */
const FINALITY = 31n;

/** The commitment a request asks for; Solana's default is `finalized`. */
export function readCommitment(config: Param, name = 'commitment'): Commitment {
  const param = config.member(name);
  return param.given ? param.oneOf(COMMITMENTS) : 'finalized';
}

/** The newest slot at a commitment, never before the chain's first. */
export function slotAt(chain: Localnet, commitment: Commitment): bigint {
  const { slot } = chain.clock;
  if (commitment !== 'finalized') return slot;
  return slot - FINALITY > chain.firstSlot ? slot - FINALITY : chain.firstSlot;
}

/** How far what happened in a slot has got. */
export function commitmentOf(chain: Localnet, slot: bigint): Commitment {
  return chain.clock.slot - slot >= FINALITY ? 'finalized' : 'confirmed';
}

export function hasReached(chain: Localnet, slot: bigint, commitment: Commitment): boolean {
  return commitment !== 'finalized' || commitmentOf(chain, slot) === 'finalized';
}

/**
 * Reads a read's commitment and refuses it when the chain is not as far as it asks.
 * Accounts have one state only, the present one, so the context of every answer is the present slot.
 */
export function context(
  chain: Localnet,
  config: Param,
): { readonly slot: bigint; readonly apiVersion: string } {
  assertReached(chain, config, readCommitment(config));
  return { slot: chain.clock.slot, apiVersion: API_VERSION };
}

export function assertReached(chain: Localnet, config: Param, commitment: Commitment): void {
  const asked = config.member('minContextSlot');
  if (!asked.given) return;
  const contextSlot = slotAt(chain, commitment);
  if (contextSlot < asked.u64()) {
    throw new RpcError('minContextSlotNotReached', 'Minimum context slot has not been reached', {
      contextSlot,
    });
  }
}

/** The version of Solana's node software whose interface this follows. */
export const API_VERSION = '3.0.0';
