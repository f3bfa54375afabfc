import type { ChainResult } from '../../ports/chain.js';
import { expectEqual, expectThat, inspect } from '../expect.js';
import type { ChainTests } from './chain-under-test.js';
import {
  firstPayment,
  outcomeOf,
  PERIOD_SECONDS,
  sentOutcome,
  signedCharge,
  submittedPayment,
  subscribed,
  viewOf,
} from './scene.js';

function expectUnavailable(result: ChainResult<unknown> | undefined, what: string): void {
  expectThat(
    result?.ok === false && ['transport', 'rpc'].includes(result.unavailable.kind),
    `${what} to be unavailable, as a value`,
    result,
  );
}

/** Runs a call during an outage, and fails when it throws. */
async function valueDuringOutage<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new Error(
      `Expected ${what} to return a value while the chain is unavailable; it threw ${inspect(String(error))}.`,
      { cause: error },
    );
  }
}

/** While the chain does not answer, the adapter returns values that say so, and throws nothing. */
export const outageTests: ChainTests = {
  'returns that the chain is unavailable as a value, and throws nothing': async (underTest) => {
    const { chain, wallet } = underTest;
    const target = await subscribed(underTest);
    const [view, payment] = [
      await viewOf(underTest, target),
      await firstPayment(underTest, target.plan, 'comeback'),
    ];
    const charge = await signedCharge(underTest, target);
    const order = { ...target, amount: 1n, receiverAccount: view.receiver?.address ?? '' };
    underTest.disconnect();
    const results: Readonly<Record<string, () => Promise<ChainResult<unknown>>>> = {
      head: () => chain.head(),
      readCharger: () => chain.readCharger(),
      readPlan: () => chain.readPlan(target.plan.address),
      readMint: () => chain.readMint(target.plan.mint),
      readAddress: () => chain.readAddress(wallet),
      readTokensOf: () => chain.readTokensOf(wallet, target.plan.mint),
      readSubscribers: () => chain.readSubscribers(target.plan.address),
      readHistory: () => chain.readHistory({ ...target, since: new Date(0), slot: view.slot }),
      readReceipt: () => chain.readReceipt({ signature: payment.signature, wallet, mint: target.plan.mint }),
      build: () => chain.build({ ...target, kind: 'cancel' }),
      readLifetime: () => chain.readLifetime(payment.wire),
      simulate: () => chain.simulate(payment.wire),
      signCharges: () => chain.signCharges([order]),
    };
    for (const [method, call] of Object.entries(results))
      expectUnavailable(await valueDuringOutage(method, call), `the result of ${method}`);
    const views = await valueDuringOutage('readCharges', () =>
      chain.readCharges([target, { ...target, wallet }], 'finalized'),
    );
    expectEqual(views.length, 2, 'the number of results of readCharges for 2 targets');
    for (const read of views) expectUnavailable(read, 'each result of readCharges');
    const { address } = target.plan;
    const plans = await valueDuringOutage('readPlans', () =>
      chain.readPlans([address, address], 'finalized'),
    );
    expectEqual(plans.length, 2, 'the number of results of readPlans for 2 addresses');
    for (const read of plans) expectUnavailable(read, 'each result of readPlans');
    expectEqual(
      await valueDuringOutage('send', () => chain.send([charge.wire, payment.wire])),
      [{ kind: 'unknown' }, { kind: 'unknown' }],
      'the results of sending',
    );
    expectEqual(
      await valueDuringOutage('resolve', () => chain.resolve([charge, payment])),
      [{ kind: 'unknown' }, { kind: 'unknown' }],
      'the outcomes',
    );
  },

  'derives, decodes, inspects and co-signs without the chain': async (underTest) => {
    const { chain, wallet, owner } = underTest;
    const target = await subscribed(underTest);
    const [plan, subscription] = [
      await chain.planAddress(owner, 1_001n),
      await chain.subscriptionAddress(target.plan.address, wallet),
    ];
    const { unsigned, submitted } = await submittedPayment(underTest, target.plan, 'comeback');
    underTest.disconnect();
    expectEqual(
      [await chain.planAddress(owner, 1_001n), await chain.subscriptionAddress(target.plan.address, wallet)],
      [plan, subscription],
      'the addresses',
    );
    const { signature } = await chain.cosign(submitted, unsigned.lastValidBlockHeight);
    expectEqual(
      await chain.inspect(submitted, unsigned.transaction, wallet),
      { kind: 'ours', signature, hasBuiltLifetime: true },
      'the inspection',
    );
    expectEqual(chain.signatureOf(submitted), signature, 'the signature');
  },

  'works again after an outage, and what was not sent then can be sent now': async (underTest) => {
    const target = await subscribed(underTest);
    await underTest.advance(PERIOD_SECONDS);
    const charge = await signedCharge(underTest, target);
    underTest.disconnect();
    await underTest.chain.send([charge.wire]);
    underTest.reconnect();
    expectEqual(await outcomeOf(underTest, charge), { kind: 'waiting' }, 'the outcome after the outage');
    expectEqual((await sentOutcome(underTest, charge)).kind, 'landed', 'the outcome of sending it again');
  },
};
