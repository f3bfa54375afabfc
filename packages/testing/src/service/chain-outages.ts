import type { Chain, ChainUnavailable } from '@subrail/core/ports';

/**
 * The chain with outages: while `outage` names one, every call is answered as unavailable, what is sent is
 * lost, and the outcome of what was sent is unknown. An `outage` that throws acts as a bug of the adapter.
 */
export function withOutages(chain: Chain, outage: () => ChainUnavailable | null): Chain {
  const failureNow = () => {
    const unavailable = outage();
    return unavailable === null ? null : ({ ok: false, unavailable } as const);
  };
  return {
    ...chain,
    readGenesis: async () => failureNow() ?? chain.readGenesis(),
    head: async () => failureNow() ?? chain.head(),
    readCharger: async () => failureNow() ?? chain.readCharger(),
    readPlan: async (plan) => failureNow() ?? chain.readPlan(plan),
    async readPlans(plans, commitment) {
      const unavailable = failureNow();
      return unavailable === null ? chain.readPlans(plans, commitment) : plans.map(() => unavailable);
    },
    readMint: async (mint) => failureNow() ?? chain.readMint(mint),
    readAddress: async (address) => failureNow() ?? chain.readAddress(address),
    readTokensOf: async (wallet, mint) => failureNow() ?? chain.readTokensOf(wallet, mint),
    readSubscribers: async (plan) => failureNow() ?? chain.readSubscribers(plan),
    async readCharges(targets, commitment) {
      const unavailable = failureNow();
      return unavailable === null ? chain.readCharges(targets, commitment) : targets.map(() => unavailable);
    },
    readHistory: async (query) => failureNow() ?? chain.readHistory(query),
    readReceipt: async (query) => failureNow() ?? chain.readReceipt(query),
    build: async (request) => failureNow() ?? chain.build(request),
    simulate: async (wire) => failureNow() ?? chain.simulate(wire),
    signCharges: async (orders) => failureNow() ?? chain.signCharges(orders),
    send: async (wires) =>
      outage() === null ? chain.send(wires) : wires.map(() => ({ kind: 'unknown' as const })),
    resolve: async (queries) =>
      outage() === null ? chain.resolve(queries) : queries.map(() => ({ kind: 'unknown' as const })),
  };
}
