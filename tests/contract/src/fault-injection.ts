import { Unavailable, type Chain, type ChainUnavailable, type Store } from '@subrail/core';
import type { Fault, Moment } from './control.js';

/** The service's ports with what `Control` can do to them. */
export interface Faults {
  readonly chain: (chain: Chain) => Chain;
  readonly store: (store: Store) => Store;
  broken(fault: Fault): boolean;
  set(fault: Fault, broken: boolean): void;
  meanwhile(moment: Moment, act: () => Promise<void>): void;
  refuseNextSend(code: number): void;
}

/** An error a node gives when it cannot keep up. */
const NODE_IS_BEHIND = -32_005;

export function createFaults(): Faults {
  const broken = new Set<Fault>();
  const acts = new Map<Moment, () => Promise<void>>();
  let refusal: number | null = null;

  async function at(moment: Moment): Promise<void> {
    const act = acts.get(moment);
    acts.delete(moment);
    await act?.();
  }

  function unavailable(): { readonly ok: false; readonly unavailable: ChainUnavailable } | null {
    if (broken.has('chain_silent')) return { ok: false, unavailable: { kind: 'transport' } };
    return broken.has('chain_error')
      ? { ok: false, unavailable: { kind: 'rpc', code: NODE_IS_BEHIND } }
      : null;
  }

  return {
    wrapChain: (chain) => ({
      ...chain,
      head: async () => unavailable() ?? chain.head(),
      readPlan: async (plan) => unavailable() ?? chain.readPlan(plan),
      readMint: async (mint) => unavailable() ?? chain.readMint(mint),
      async readCharges(asks, commitment) {
        await at('read');
        const silent = unavailable();
        return silent === null ? chain.readCharges(asks, commitment) : asks.map(() => silent);
      },
      async build(ask) {
        await at('build');
        return unavailable() ?? chain.build(ask);
      },
      simulate: async (wire) => unavailable() ?? chain.simulate(wire),
      signCharges: async (orders) => unavailable() ?? chain.signCharges(orders),
      async send(wires) {
        await at('send');
        const code = refusal;
        refusal = null;
        if (code !== null) {
          return wires.map(() => ({ kind: 'refused', refusal: { kind: 'program', code } }));
        }
        const lost = broken.has('sends_lost') || broken.has('blocks_stand') || unavailable() !== null;
        return lost ? wires.map(() => ({ kind: 'unknown' })) : chain.send(wires);
      },
      async resolve(asks) {
        await at('look');
        if (broken.has('blocks_stand')) return asks.map(() => ({ kind: 'waiting' }));
        const untold = broken.has('landings_untold') || unavailable() !== null;
        return untold ? asks.map(() => ({ kind: 'unknown' })) : chain.resolve(asks);
      },
    }),
    store: (store) =>
      new Proxy(store, {
        get(target, name, receiver) {
          const member: unknown = Reflect.get(target, name, receiver);
          if (typeof member !== 'function') return member;
          return async (...given: unknown[]): Promise<unknown> => {
            if (broken.has('store_unavailable')) throw new Unavailable('the database is away');
            if (broken.has('store_broken')) throw new TypeError('the database makes no sense');
            if (name === 'commit') {
              await at('write');
              if (broken.has('writes_lost')) return 'lost';
            }
            return (await Reflect.apply(member, target, given)) as unknown;
          };
        },
      }),
    broken: (fault) => broken.has(fault),
    set(fault, isBroken) {
      if (isBroken) broken.add(fault);
      else broken.delete(fault);
    },
    meanwhile: (moment, act) => void acts.set(moment, act),
    refuseNextSend(code) {
      refusal = code;
    },
  };
}
