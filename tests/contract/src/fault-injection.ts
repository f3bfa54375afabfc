import { Unavailable, type Chain, type ChainUnavailable, type FullStore } from '@subrail/core/ports';
import { aroundStore, withOutages } from '@subrail/test-world';

import type { Fault, Moment } from './control.js';

/** Wraps the service's chain and store so that a test can inject faults into them. */
export interface FaultInjection {
  readonly wrapChain: (chain: Chain) => Chain;
  readonly wrapStore: (store: FullStore) => FullStore;
  isActive(fault: Fault): boolean;
  set(fault: Fault, active: boolean): void;
  /** Runs `act` once, just before the service next reaches this moment. */
  before(moment: Moment, act: () => Promise<void>): void;
  refuseNextSend(programCode: number): void;
}

/** The error a node answers with when it cannot keep up. */
const NODE_IS_BEHIND = -32_005;

export function createFaultInjection(): FaultInjection {
  const active = new Set<Fault>();
  const acts = new Map<Moment, () => Promise<void>>();
  let refusal: number | null = null;

  async function reach(moment: Moment): Promise<void> {
    const act = acts.get(moment);
    acts.delete(moment);
    await act?.();
  }

  function outage(): ChainUnavailable | null {
    if (active.has('chain_unreachable')) return { kind: 'transport' };
    return active.has('chain_error') ? { kind: 'rpc', code: NODE_IS_BEHIND } : null;
  }

  return {
    wrapChain(below) {
      const chain = withOutages(below, outage);
      return {
        ...chain,
        async readCharges(targets, commitment) {
          await reach('read');
          return chain.readCharges(targets, commitment);
        },
        async build(request) {
          await reach('build');
          return chain.build(request);
        },
        async send(wires) {
          await reach('send');
          const code = refusal;
          refusal = null;
          if (code !== null) {
            return wires.map(() => ({ kind: 'refused', refusal: { kind: 'program', code } }));
          }
          const isLost = active.has('sends_lost') || active.has('blocks_stopped');
          return isLost ? wires.map(() => ({ kind: 'unknown' })) : chain.send(wires);
        },
        async resolve(queries) {
          await reach('resolve');
          if (active.has('blocks_stopped')) return queries.map(() => ({ kind: 'waiting' }));
          const isUnknown = active.has('outcomes_unknown');
          return isUnknown ? queries.map(() => ({ kind: 'unknown' })) : chain.resolve(queries);
        },
      };
    },
    wrapStore: (store) =>
      aroundStore(store, async (name, call) => {
        if (active.has('store_unavailable')) throw new Unavailable('the database is unavailable');
        if (active.has('store_broken')) throw new TypeError('the database is broken');
        if (name === 'commit') {
          await reach('write');
          if (active.has('writes_conflict')) return 'lost';
        }
        return call();
      }),
    isActive: (fault) => active.has(fault),
    set(fault, isActive) {
      if (isActive) active.add(fault);
      else active.delete(fault);
    },
    before: (moment, act) => void acts.set(moment, act),
    refuseNextSend(code) {
      refusal = code;
    },
  };
}
