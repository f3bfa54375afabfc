import type { ChainResult, Chain, ChargeView, TransactionOutcome, SignatureQuery } from '@subrail/core/ports';

/** What is done otherwise than the chain below does it. */
export type Bend = (chain: Chain) => Partial<Chain>;

let bends: readonly Bend[] = [];

/** Stands between the service and the chain: straight until it is bent. */
export function bent(chain: Chain): Chain {
  const below = () => bends.reduce<Chain>((lower, by) => ({ ...lower, ...by(lower) }), chain);
  return new Proxy(chain, { get: (_, name) => Reflect.get(below(), name) as unknown });
}

/** Bends the chain in these ways from now on, and in no others; each comes before the ones that are named ahead of it. */
export function bend(...ways: readonly Bend[]): void {
  bends = ways;
}

export function straighten(): void {
  bends = [];
}

/** What is sent vanishes. */
export const dropped: Bend = () => ({
  send: (wires) => Promise.resolve(wires.map(() => ({ kind: 'unknown' }))),
});

/** Something happens between the intent and the sending of it. */
export function beforeSend(happens: () => Promise<void>): Bend {
  return (chain) => ({
    async send(wires) {
      await happens();
      return chain.send(wires);
    },
  });
}

/** No transaction is refused before it is sent. */
export const unsimulated: Bend = () => ({ simulate: () => Promise.resolve({ ok: true, value: null }) });

/** The service is told another fate of what was sent. */
export function fates(told: (outcome: TransactionOutcome, ask: SignatureQuery) => TransactionOutcome): Bend {
  return (chain) => ({
    async resolve(asks) {
      const answered = await chain.resolve(asks);
      return asks.map((ask, index) => told(answered[index] ?? { kind: 'unknown' }, ask));
    },
  });
}

/** Whatever was sent, the chain cannot tell what became of it. */
export const untold = fates(() => ({ kind: 'unknown' }));

/** Whatever was sent may still land, as far as the service is told. */
export const waiting = fates(() => ({ kind: 'waiting' }));

/** The service is shown something else than what the chain holds. */
export function views(shown: (view: ChargeView, commitment: 'confirmed' | 'finalized') => ChargeView): Bend {
  return (chain) => ({
    async readCharges(asks, commitment) {
      const answers = await chain.readCharges(asks, commitment);
      return answers.map((answer): ChainResult<ChargeView> =>
        answer.ok ? { ok: true, value: shown(answer.value, commitment) } : answer,
      );
    },
  });
}

/** A subscription on chain at another price than the plan's. */
export const dearer = (view: ChargeView): ChargeView => ({
  ...view,
  subscription:
    view.subscription === null ? null : { ...view.subscription, amount: view.subscription.amount + 1n },
});
