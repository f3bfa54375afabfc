import type { Chain } from '@subrail/core/ports';
import { anAddress } from '@subrail/core/testing';

/** The chain of a service with records only: refuses every call with a sentence. */
export function noChain(): Chain {
  const refuse = (call: string) => (): never => {
    throw new Error(
      `This service has records only, and chain.${call} needs a chain. Use createTestBilling for what reads or changes the chain.`,
    );
  };
  return {
    network: 'devnet',
    charger: anAddress(),
    // The service reads this before its first call of the chain; it is that call which is refused.
    readGenesis: async () => ({ ok: true, value: { hash: 'no chain', network: 'devnet' } }),
    head: refuse('head'),
    readCharger: async () => ({
      ok: true,
      value: { balance: 1_000_000_000n, chargeFee: 5_000n, charges: 200_000n },
    }),
    servers: () => ({ servers: [], hostClockAheadSeconds: null }),
    planAddress: refuse('planAddress'),
    subscriptionAddress: refuse('subscriptionAddress'),
    readPlan: refuse('readPlan'),
    readPlans: refuse('readPlans'),
    readMint: refuse('readMint'),
    readAddress: refuse('readAddress'),
    readTokensOf: refuse('readTokensOf'),
    readSubscribers: refuse('readSubscribers'),
    readCharges: refuse('readCharges'),
    readHistory: refuse('readHistory'),
    readReceipt: refuse('readReceipt'),
    build: refuse('build'),
    signatureOf: refuse('signatureOf'),
    inspect: refuse('inspect'),
    isSignatureOf: refuse('isSignatureOf'),
    readTextSignature: refuse('readTextSignature'),
    readLifetime: refuse('readLifetime'),
    cosign: refuse('cosign'),
    simulate: refuse('simulate'),
    signCharges: refuse('signCharges'),
    send: refuse('send'),
    resolve: refuse('resolve'),
  };
}
