import type { Localnet } from '../../localnet.js';
import { encodeBase58 } from '../../runtime/base58.js';
import { SLOTS_PER_EPOCH } from '../../runtime/native-runtime.js';
import { API_VERSION, assertReached, context, readCommitment, slotAt } from '../commitment.js';
import type { Methods, Param } from '../params.js';
import { invalidLimit } from '../rpc-error.js';

// The only validator signs nothing; it just needs an address.
const IDENTITY = encodeBase58(new TextEncoder().encode('subrail localnet, one validator.'));

/** A node samples once a minute, which is 150 slots of 400 ms. */
const SAMPLE = { seconds: 60, slots: 150n };
const MAX_SAMPLES = 720n;
const LARGEST_LIMIT = 20;
const MAX_REWARDS = 1_000;
const MAX_LEADERS = 5_000n;

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
  getRecentPerformanceSamples: (chain, params) => {
    const limit = params.at(0, 'limit').or(MAX_SAMPLES, (param) => param.u64());
    if (limit > MAX_SAMPLES) throw invalidLimit(MAX_SAMPLES);
    return performanceSamples(chain, limit);
  },
  getSupply: (chain, params) => {
    let total = 0n;
    for (const [, { lamports }] of chain.accounts.written()) total += lamports;
    return {
      context: context(chain, params.at(0, 'config')),
      value: { total, circulating: total, nonCirculating: 0n, nonCirculatingAccounts: [] },
    };
  },
  getLargestAccounts: (chain, params) => ({
    context: context(chain, params.at(0, 'config')),
    value: [...chain.accounts.written()]
      .map(([address, { lamports }]) => ({ address, lamports }))
      .sort((a, b) => (a.lamports < b.lamports ? 1 : -1))
      .slice(0, LARGEST_LIMIT),
  }),
  getInflationGovernor: () => ({ initial: 0, terminal: 0, taper: 0, foundation: 0, foundationTerm: 0 }),
  getInflationRate: (chain) => ({
    total: 0,
    validator: 0,
    foundation: 0,
    epoch: chain.clock.slot / SLOTS_PER_EPOCH,
  }),
  getInflationReward: (_, params) =>
    params
      .at(0, 'addresses')
      .list(MAX_REWARDS)
      .map(() => null),
  getStakeMinimumDelegation: (chain, params) => ({
    context: context(chain, params.at(0, 'config')),
    value: 1n,
  }),
  getBlockCommitment: () => ({ commitment: null, totalStake: 0n }),
  getMaxRetransmitSlot: (chain) => chain.clock.slot,
  getMaxShredInsertSlot: (chain) => chain.clock.slot,
  getSlotLeaders: (_, params) => {
    const limit = params.at(1, 'limit').u64();
    if (limit > MAX_LEADERS) throw invalidLimit(MAX_LEADERS);
    return Array<string>(Number(limit)).fill(IDENTITY);
  },
  getTransactionCount: (chain) => chain.history.total,
  getSlotLeader: () => IDENTITY,
  getClusterNodes: () => [],
  getVoteAccounts: () => ({ current: [], delinquent: [] }),
  minimumLedgerSlot: (chain) => chain.firstSlot,
  getFirstAvailableBlock: (chain) => chain.history.firstCompleteSlot ?? chain.firstSlot,
};

/** The landed transactions of each whole minute of slots since the first, newest first. */
function performanceSamples(chain: Localnet, limit: bigint): unknown[] {
  const { firstSlot, history } = chain;
  const minutes = chain.blockHeight / SAMPLE.slots;
  const counts = new Map<bigint, bigint>();
  for (const { slot } of history.oldestFirst()) {
    const minute = (slot - firstSlot) / SAMPLE.slots;
    counts.set(minute, (counts.get(minute) ?? 0n) + 1n);
  }
  return Array.from({ length: Number(minutes < limit ? minutes : limit) }, (_, ago) => {
    const minute = minutes - 1n - BigInt(ago);
    const numTransactions = counts.get(minute) ?? 0n;
    return {
      slot: firstSlot + (minute + 1n) * SAMPLE.slots - 1n,
      numSlots: SAMPLE.slots,
      samplePeriodSecs: SAMPLE.seconds,
      numTransactions,
      numNonVoteTransactions: numTransactions,
    };
  });
}

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
