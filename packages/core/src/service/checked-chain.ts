import type { Chain, ChainResult } from '../ports/index.js';
import type { ChainCheck } from './check-chain.js';

/**
 * The chain behind its check: until it is known to be the right one, every call over the network but
 * `readGenesis` is answered as unavailable, so nothing is read, signed or sent.
 */
export function checkedChain(chain: Chain, check: () => Promise<ChainCheck>): Chain {
  const unavailable = async () => {
    const result = await check();
    switch (result.state) {
      case 'ok':
        return null;
      case 'wrong':
        return { ok: false, unavailable: { kind: 'transport' } } as const;
      case 'unknown':
        return { ok: false, unavailable: result.unavailable } as const;
    }
  };
  const onceChecked = async <T>(call: () => Promise<ChainResult<T>>): Promise<ChainResult<T>> =>
    (await unavailable()) ?? call();

  return {
    network: chain.network,
    charger: chain.charger,
    readGenesis: () => chain.readGenesis(),
    planAddress: (owner, number) => chain.planAddress(owner, number),
    subscriptionAddress: (plan, wallet) => chain.subscriptionAddress(plan, wallet),
    signatureOf: (submitted) => chain.signatureOf(submitted),
    inspect: (submitted, built, wallet) => chain.inspect(submitted, built, wallet),
    servers: () => chain.servers(),
    isSignatureOf: (signature, built, wallet) => chain.isSignatureOf(signature, built, wallet),
    readTextSignature: (signed) => chain.readTextSignature(signed),
    cosign: (submitted, lastValidBlockHeight) => chain.cosign(submitted, lastValidBlockHeight),

    head: () => onceChecked(() => chain.head()),
    readCharger: () => onceChecked(() => chain.readCharger()),
    readPlan: (address) => onceChecked(() => chain.readPlan(address)),
    async readPlans(addresses, commitment) {
      const none = await unavailable();
      return none === null ? chain.readPlans(addresses, commitment) : addresses.map(() => none);
    },
    readMint: (mint) => onceChecked(() => chain.readMint(mint)),
    readAddress: (address) => onceChecked(() => chain.readAddress(address)),
    readTokensOf: (wallet, mint) => onceChecked(() => chain.readTokensOf(wallet, mint)),
    readReceipt: (query) => onceChecked(() => chain.readReceipt(query)),
    readSubscribers: (plan) => onceChecked(() => chain.readSubscribers(plan)),
    async readCharges(targets, commitment) {
      const none = await unavailable();
      return none === null ? chain.readCharges(targets, commitment) : targets.map(() => none);
    },
    readLifetime: (submitted) => onceChecked(() => chain.readLifetime(submitted)),
    readHistory: (query) => onceChecked(() => chain.readHistory(query)),
    build: (request) => onceChecked(() => chain.build(request)),
    simulate: (transaction) => onceChecked(() => chain.simulate(transaction)),
    signCharges: (orders) => onceChecked(() => chain.signCharges(orders)),
    send: async (transactions) =>
      (await unavailable()) === null
        ? chain.send(transactions)
        : transactions.map(() => ({ kind: 'unknown' })),
    resolve: async (queries) =>
      (await unavailable()) === null ? chain.resolve(queries) : queries.map(() => ({ kind: 'unknown' })),
  };
}
