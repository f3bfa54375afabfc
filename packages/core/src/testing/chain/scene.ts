import type {
  BuildRequest,
  ChainResult,
  ChargeTarget,
  ChargeView,
  PlanOnChain,
  SignedPayment,
  SignedTransaction,
  TransactionOutcome,
  UnsignedTransaction,
} from '../../ports/chain.js';
import { expectEqual, expectThat } from '../expect.js';
import type { ChainUnderTest } from './chain-under-test.js';

/** The price of a period of every plan. */
export const PRICE = 10_000_000n;
/** The period of every plan, in seconds. */
export const PERIOD_SECONDS = 3_600;

/** Returns the value of a result, and fails when the chain was unavailable. */
export function valueOf<T>(result: ChainResult<T> | undefined, what: string): T {
  expectThat(result?.ok === true, `${what} to be read from a chain that is available`, result);
  return result.value;
}

/** The facts of a plan that may not exist yet. Each number is another plan. */
export async function aPlanOnChain(
  { chain, owner, receiver, mint }: ChainUnderTest,
  number: bigint,
  given: Partial<PlanOnChain> = {},
): Promise<PlanOnChain> {
  return {
    address: await chain.planAddress(owner, number),
    owner,
    number,
    createdAt: valueOf(await chain.head(), 'the head').time,
    mint: mint.address,
    tokenProgram: mint.tokenProgram,
    amount: PRICE,
    periodHours: PERIOD_SECONDS / 3_600,
    receiver,
    ...given,
  };
}

/** Publishes a plan through the adapter, and returns it as it is on chain. */
export async function publishedPlan(
  underTest: ChainUnderTest,
  number = 1_000n,
  destinations: readonly string[] = [underTest.receiver],
): Promise<PlanOnChain> {
  const { chain, owner } = underTest;
  const plan = await aPlanOnChain(underTest, number);
  const request = { endsAt: null, destinations, pullers: [chain.charger], metadata: '{}' } as const;
  const outcome = await walletOutcome(underTest, owner, { ...plan, ...request, kind: 'create_plan' });
  expectEqual(outcome.kind, 'landed', 'the outcome of creating a plan');
  const created = valueOf(await chain.readPlan(plan.address), 'the plan');
  expectThat(created !== null, 'the created plan to be at its address');
  return { ...plan, createdAt: created.createdAt };
}

/** Builds a transaction, and fails when the chain was unavailable. */
export async function built({ chain }: ChainUnderTest, request: BuildRequest): Promise<UnsignedTransaction> {
  return valueOf(await chain.build(request), `the parts of a transaction of kind ${request.kind}`);
}

/** Reads the accounts of one charge, and fails when the chain was unavailable. */
export async function viewOf(
  { chain }: ChainUnderTest,
  target: ChargeTarget,
  commitment: 'confirmed' | 'finalized' = 'confirmed',
): Promise<ChargeView> {
  const [view] = await chain.readCharges([target], commitment);
  return valueOf(view, 'the accounts of a charge');
}

/** Builds a transaction that only a wallet signs, signs and sends it, and returns its outcome. */
export async function walletOutcome(
  underTest: ChainUnderTest,
  signer: string,
  request: BuildRequest,
): Promise<TransactionOutcome> {
  const { transaction, lastValidBlockHeight } = await built(underTest, request);
  const wire = await underTest.sign(transaction, signer);
  const signature = underTest.chain.signatureOf(wire);
  expectThat(signature !== null, 'a signed transaction to have a signature');
  return sentOutcome(underTest, { wire, signature, lastValidBlockHeight });
}

/** Sends a transaction and returns its outcome. */
export async function sentOutcome(
  underTest: ChainUnderTest,
  transaction: SignedTransaction,
): Promise<TransactionOutcome> {
  await underTest.chain.send([transaction.wire]);
  await underTest.settle();
  return outcomeOf(underTest, transaction);
}

/** Looks up the outcome of one transaction. */
export async function outcomeOf(
  { chain }: ChainUnderTest,
  transaction: SignedTransaction,
): Promise<TransactionOutcome> {
  const [outcome, ...more] = await chain.resolve([transaction]);
  expectThat(outcome !== undefined && more.length === 0, 'one outcome for one query', [outcome, ...more]);
  return outcome;
}

/** Builds a first payment of the wallet: as it was built, and as the wallet signed it. */
export async function submittedPayment(
  underTest: ChainUnderTest,
  plan: PlanOnChain,
  kind: 'subscribe' | 'comeback' = 'subscribe',
): Promise<{ readonly unsigned: UnsignedTransaction; readonly submitted: string }> {
  const target = { plan, wallet: underTest.wallet };
  const unsigned = await built(underTest, { ...target, kind, view: await viewOf(underTest, target) });
  return { unsigned, submitted: await underTest.sign(unsigned.transaction, underTest.wallet) };
}

/** Builds a first payment of the wallet, signed by the wallet and co-signed by the charger. */
export async function firstPayment(...of: Parameters<typeof submittedPayment>): Promise<SignedTransaction> {
  const [{ chain }] = of;
  const { unsigned, submitted } = await submittedPayment(...of);
  return chain.cosign(submitted, unsigned.lastValidBlockHeight);
}

/** Publishes a plan and subscribes the wallet to it, which has ten times the price before. */
export async function subscribed(underTest: ChainUnderTest): Promise<ChargeTarget> {
  await underTest.setBalance(10n * PRICE);
  const plan = await publishedPlan(underTest);
  const outcome = await sentOutcome(underTest, await firstPayment(underTest, plan));
  expectEqual(outcome.kind, 'landed', 'the outcome of the first payment');
  return { plan, wallet: underTest.wallet };
}

/** Subscribes the wallet, which has subscribed before, to a second plan. */
export async function subscribedToAnother(underTest: ChainUnderTest): Promise<ChargeTarget> {
  const plan = await publishedPlan(underTest, 1_001n);
  const outcome = await sentOutcome(underTest, await firstPayment(underTest, plan));
  expectEqual(outcome.kind, 'landed', 'the outcome of the first payment for a second plan');
  return { plan, wallet: underTest.wallet };
}

/** Signs charges of several targets with one call. */
export async function signedTogether(
  underTest: ChainUnderTest,
  ...charges: readonly (readonly [ChargeTarget, bigint])[]
): Promise<readonly SignedPayment[]> {
  const orders = [];
  for (const [target, amount] of charges) {
    const { receiver } = await viewOf(underTest, target);
    expectThat(receiver !== null, 'the receiver’s token account to be read');
    orders.push({ ...target, amount, receiverAccount: receiver.address });
  }
  return valueOf(await underTest.chain.signCharges(orders), 'the blockhash of the charges');
}

/** Signs charges of a target, one for each amount. */
export async function signedCharges(
  underTest: ChainUnderTest,
  target: ChargeTarget,
  ...amounts: readonly bigint[]
): Promise<readonly SignedTransaction[]> {
  const { receiver } = await viewOf(underTest, target);
  expectThat(receiver !== null, 'the receiver’s token account to be read');
  const orders = amounts.map((amount) => ({ ...target, amount, receiverAccount: receiver.address }));
  return valueOf(await underTest.chain.signCharges(orders), 'the blockhash of the charges');
}

/** Signs one charge of the price. */
export async function signedCharge(
  underTest: ChainUnderTest,
  target: ChargeTarget,
): Promise<SignedTransaction> {
  const [charge] = await signedCharges(underTest, target, PRICE);
  expectThat(charge !== undefined, 'a signed charge');
  return charge;
}
