import type { Chain, ChainResult } from '../ports/index.js';
import type { Service } from '../service.js';

/**
 * The chain with every call counted and measured, and with the alerts that its results show: no server
 * answers, or the signer fails. Results and errors pass unchanged.
 */
export function watchedChain(
  chain: Chain,
  { alerts, figures, telemetry }: Pick<Service, 'alerts' | 'figures' | 'telemetry'>,
): Chain {
  const isRefused = ({ ok }: ChainResult<unknown>) => !ok;
  const isUnknown = (outcomes: readonly { readonly kind: string }[]) =>
    outcomes.some(({ kind }) => kind === 'unknown');

  const counted = <T>(method: string, call: () => Promise<T>, failed: (result: T) => boolean): Promise<T> =>
    telemetry.span({ kind: 'chain', name: method }, async (end) => {
      try {
        const result = await call();
        const hasFailed = failed(result);
        figures.countChainCall(method, hasFailed);
        end({ outcome: hasFailed ? 'failed' : 'ok', failed: hasFailed });
        return result;
      } catch (error) {
        figures.countChainCall(method, true);
        throw error;
      }
    });

  /** A call that reads the chain: it shows whether any server answers. */
  const read = async <T>(method: string, call: () => Promise<ChainResult<T>>): Promise<ChainResult<T>> => {
    const result = await counted(method, call, isRefused);
    noteAnswer(result);
    return result;
  };
  const noteAnswer = (result: ChainResult<unknown>) => {
    if (result.ok) {
      alerts.over('chain_unavailable');
      return;
    }
    const { unavailable } = result;
    alerts.seen({
      kind: 'chain_unavailable',
      facts: { code: unavailable.kind === 'rpc' ? unavailable.code : null },
    });
  };

  const readEach = async <T>(
    method: string,
    call: () => Promise<readonly ChainResult<T>[]>,
  ): Promise<readonly ChainResult<T>[]> => {
    const results = await counted(method, call, (answers) => answers.some(({ ok }) => !ok));
    const shown = results.find(({ ok }) => ok) ?? results[0];
    if (shown !== undefined) noteAnswer(shown);
    return results;
  };

  const signing = async <T>(call: () => Promise<T>, hasSigned: (result: T) => boolean): Promise<T> => {
    try {
      const result = await call();
      if (hasSigned(result)) alerts.over('signer_failing');
      return result;
    } catch (error) {
      alerts.seen({ kind: 'signer_failing' });
      throw error;
    }
  };

  return {
    network: chain.network,
    charger: chain.charger,
    planAddress: (owner, number) => chain.planAddress(owner, number),
    subscriptionAddress: (plan, wallet) => chain.subscriptionAddress(plan, wallet),
    signatureOf: (submitted) => chain.signatureOf(submitted),
    inspect: (submitted, built, wallet) => chain.inspect(submitted, built, wallet),
    isSignatureOf: (signature, built, wallet) => chain.isSignatureOf(signature, built, wallet),
    readTextSignature: (signed) => chain.readTextSignature(signed),
    servers: () => chain.servers(),

    readGenesis: () => read('readGenesis', () => chain.readGenesis()),
    head: () => read('head', () => chain.head()),
    readCharger: () => read('readCharger', () => chain.readCharger()),
    readPlan: (address) => read('readPlan', () => chain.readPlan(address)),
    readPlans: (addresses, commitment) => readEach('readPlans', () => chain.readPlans(addresses, commitment)),
    readHistory: (query) => read('readHistory', () => chain.readHistory(query)),
    readLifetime: (submitted) => read('readLifetime', () => chain.readLifetime(submitted)),
    readMint: (mint) => read('readMint', () => chain.readMint(mint)),
    readAddress: (address) => read('readAddress', () => chain.readAddress(address)),
    readTokensOf: (wallet, mint) => read('readTokensOf', () => chain.readTokensOf(wallet, mint)),
    readReceipt: (query) => read('readReceipt', () => chain.readReceipt(query)),
    // A server that answers everything else may refuse this listing, so it shows nothing about the chain.
    readSubscribers: (plan) => counted('readSubscribers', () => chain.readSubscribers(plan), isRefused),
    readCharges: (targets, commitment) =>
      readEach('readCharges', () => chain.readCharges(targets, commitment)),
    build: (request) => counted('build', () => chain.build(request), isRefused),
    simulate: (transaction) => counted('simulate', () => chain.simulate(transaction), isRefused),
    cosign: (submitted, lastValidBlockHeight) =>
      signing(
        () => chain.cosign(submitted, lastValidBlockHeight),
        () => true,
      ),
    signCharges: (orders) =>
      signing(
        () => counted('signCharges', () => chain.signCharges(orders), isRefused),
        (signed) => signed.ok && signed.value.length > 0,
      ),
    send: (transactions) => counted('send', () => chain.send(transactions), isUnknown),
    resolve: (queries) => counted('resolve', () => chain.resolve(queries), isUnknown),
  };
}
