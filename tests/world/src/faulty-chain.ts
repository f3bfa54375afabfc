import type { ChainResult, Chain, ChargeView, SignatureQuery, TransactionOutcome } from '@subrail/core/ports';

/** A fault of the chain: returns the calls that it replaces, which may call the chain without the fault. */
export type ChainFault = (chain: Chain) => Partial<Chain>;

/** Injects faults into a chain while the service uses it. */
export interface FaultyChain {
  /** Returns the chain with the faults that are injected at the time of each call. */
  readonly wrap: (chain: Chain) => Chain;
  /** Replaces the injected faults by these. When several replace the same call, the last one runs first. */
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

/** Every transaction that the service sends is lost. */
export const sendsLost: ChainFault = () => ({
  send: (wires) => Promise.resolve(wires.map(() => ({ kind: 'unknown' }))),
});

/** Runs `act` after the intent is stored and before its transaction is sent. */
export function beforeSend(act: () => Promise<void>): ChainFault {
  return (chain) => ({
    async send(wires) {
      await act();
      return chain.send(wires);
    },
  });
}

/** Every simulation succeeds, so that no transaction is refused before it is sent. */
export const simulationsPass: ChainFault = () => ({
  simulate: () => Promise.resolve({ ok: true, value: null }),
});

/** Changes the outcomes that the service reads of the transactions it sent. */
export function changeOutcomes(
  change: (outcome: TransactionOutcome, query: SignatureQuery) => TransactionOutcome,
): ChainFault {
  return (chain) => ({
    async resolve(queries) {
      const outcomes = await chain.resolve(queries);
      return queries.map((query, index) => change(outcomes[index] ?? { kind: 'unknown' }, query));
    },
  });
}

/** The outcome of every transaction is unknown. */
export const outcomesUnknown = changeOutcomes(() => ({ kind: 'unknown' }));

/** The outcome of every transaction is that it may still land. */
export const outcomesPending = changeOutcomes(() => ({ kind: 'waiting' }));

/** The history of no account can be read. */
export const historySilent: ChainFault = () => ({
  readHistory: () => Promise.resolve({ ok: false, unavailable: { kind: 'transport' } }),
});

/** Changes the accounts that the service reads for a charge. */
export function changeViews(
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

/** Changes the subscription on chain to a higher price than the plan's. */
export const higherPrice = (view: ChargeView): ChargeView => ({
  ...view,
  subscription:
    view.subscription === null ? null : { ...view.subscription, amount: view.subscription.amount + 1n },
});
