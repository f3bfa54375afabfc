import type { SignatureQuery, TransactionOutcome } from '../ports/index.js';
import type { Service } from '../service.js';

/** The outcome of a transaction that landed. */
export type LandedOutcome = Extract<TransactionOutcome, { kind: 'landed' }>;

/** Looks up the outcomes of transactions, in their order. A missing answer counts as `unknown`. */
export async function readOutcomes(
  service: Pick<Service, 'chain'>,
  transactions: readonly SignatureQuery[],
): Promise<readonly TransactionOutcome[]> {
  if (transactions.length === 0) return [];
  const queries = transactions.map(({ signature, lastValidBlockHeight, paymentIndex = 0 }) => ({
    signature,
    lastValidBlockHeight,
    paymentIndex,
  }));
  const outcomes = await service.chain.resolve(queries);
  return queries.map((_, index) => outcomes[index] ?? { kind: 'unknown' });
}

/** Looks up the outcome of one transaction by its signature. */
export async function readOutcome(
  service: Pick<Service, 'chain'>,
  transaction: SignatureQuery,
): Promise<TransactionOutcome> {
  const [outcome] = await readOutcomes(service, [transaction]);
  return outcome ?? { kind: 'unknown' };
}
