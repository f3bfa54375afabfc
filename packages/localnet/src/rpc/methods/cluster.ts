import type { Localnet } from '../../localnet.js';
import { encodeBase58 } from '../../runtime/base58.js';
import { SLOTS_PER_EPOCH } from '../../runtime/native-runtime.js';
import { API_VERSION, assertReached, readCommitment, slotAt } from '../commitment.js';
import type { Methods } from '../method.js';
import type { Param } from '../params.js';

// The only validator signs nothing; it just needs an address.
const IDENTITY = encodeBase58(new TextEncoder().encode('subrail localnet, one validator.'));

/** Methods about the chain as a whole: its identity, slot, height and epoch. */
export const clusterMethods: Methods = {
  getHealth: () => 'ok',
  getVersion: () => ({ 'solana-core': API_VERSION, 'feature-set': 0, 'subrail-localnet': '0.1.0' }),
  getIdentity: () => ({ identity: IDENTITY }),
  getGenesisHash: (chain) => chain.blockhashes.genesis,
  getSlot: (chain, params) => requestedSlot(chain, params.at(0, 'config')),
  getBlockHeight: (chain, params) => requestedSlot(chain, params.at(0, 'config')) - chain.firstSlot,
  getEpochInfo: (chain, params) => epochInfo(chain, requestedSlot(chain, params.at(0, 'config'))),
  getEpochSchedule: () => ({
    slotsPerEpoch: SLOTS_PER_EPOCH,
    leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
    warmup: false,
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
  }),
  getTransactionCount: (chain) => chain.history.total,
  getSlotLeader: () => IDENTITY,
  getClusterNodes: () => [],
  getVoteAccounts: () => ({ current: [], delinquent: [] }),
  minimumLedgerSlot: (chain) => chain.firstSlot,
  getFirstAvailableBlock: (chain) => chain.history.firstCompleteSlot ?? chain.firstSlot,
};

/** Slot, block height and epoch as `getEpochInfo` and the clock's cheat codes return them. */
export function epochInfo(chain: Localnet, slot: bigint): unknown {
  return {
    absoluteSlot: slot,
    blockHeight: slot - chain.firstSlot,
    epoch: slot / SLOTS_PER_EPOCH,
    slotIndex: slot % SLOTS_PER_EPOCH,
    slotsInEpoch: SLOTS_PER_EPOCH,
    transactionCount: chain.history.total,
  };
}

function requestedSlot(chain: Localnet, config: Param): bigint {
  const commitment = readCommitment(config);
  assertReached(chain, config, commitment);
  return slotAt(chain, commitment);
}
