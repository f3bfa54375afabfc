import type { ChainResult, Chain, ChargeView, SignatureQuery, TransactionOutcome } from '@subrail/core/ports';

/** What the chain is made to do differently: the calls it replaces, over the chain below it. */
export type ChainFault = (chain: Chain) => Partial<Chain>;

/** A chain into which faults can be injected while the service uses it. */
export interface FaultyChain {
  readonly wrap: (chain: Chain) => Chain;
  /** Injects these faults instead of those before; where several replace a call, the last one named comes first. */
  readonly inject: (...faults: readonly ChainFault[]) => void;
}

export function createFaultyChain(): FaultyChain {
  let injected: readonly ChainFault[] = [];
  return {
    wrap(chain) {
      const current = () => injected.reduce<Chain>((below, fault) => ({ ...below, ...fault(below) }), chain);
      return new Proxy(chain, { get: (_, name) => Reflect.get(current(), name) as unknown });
    },
    inject(...faults) {
      injected = faults;
    },
  };
}

/** Whatever is sent is lost. */
export const sendsLost: ChainFault = () => ({
  send: (wires) => Promise.resolve(wires.map(() => ({ kind: 'unknown' }))),
});

/** Something happens after the intent is stored and before it is sent. */
export function beforeSend(happens: () => Promise<void>): ChainFault {
  return (chain) => ({
    async send(wires) {
      await happens();
      return chain.send(wires);
    },
  });
}

/** Every simulation succeeds, so that no transaction is refused before it is sent. */
export const simulationsPass: ChainFault = () => ({
  simulate: () => Promise.resolve({ ok: true, value: null }),
});

/** The service reads other outcomes of what was sent than the chain has. */
export function outcomes(
  change: (outcome: TransactionOutcome, query: SignatureQuery) => TransactionOutcome,
): ChainFault {
  return (chain) => ({
    async resolve(queries) {
      const answered = await chain.resolve(queries);
      return queries.map((query, index) => change(answered[index] ?? { kind: 'unknown' }, query));
    },
  });
}

/** The chain cannot say what became of anything that was sent. */
export const outcomesUnknown = outcomes(() => ({ kind: 'unknown' }));

/** The service reads that whatever was sent may still land. */
export const outcomesPending = outcomes(() => ({ kind: 'waiting' }));

/** The service reads other accounts than the chain holds. */
export function views(
  change: (view: ChargeView, commitment: 'confirmed' | 'finalized') => ChargeView,
): ChainFault {
  return (chain) => ({
    async readCharges(targets, commitment) {
      const answers = await chain.readCharges(targets, commitment);
      return answers.map((answer): ChainResult<ChargeView> =>
        answer.ok ? { ok: true, value: change(answer.value, commitment) } : answer,
      );
    },
  });
}

/** A subscription on chain at a higher price than the plan's. */
export const higherPrice = (view: ChargeView): ChargeView => ({
  ...view,
  subscription:
    view.subscription === null ? null : { ...view.subscription, amount: view.subscription.amount + 1n },
});
