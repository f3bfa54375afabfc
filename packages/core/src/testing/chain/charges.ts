import type { SignedTransaction } from '../../ports/chain.js';
import { expectEach, expectEqual, expectThat } from '../expect.js';
import type { ChainTests } from './chain-under-test.js';
import {
  firstPayment,
  outcomeOf,
  PERIOD_SECONDS,
  PRICE,
  publishedPlan,
  sentOutcome,
  signedCharge,
  signedCharges,
  signedTogether,
  subscribed,
  subscribedToAnother,
  valueOf,
} from './scene.js';

const kindOf = ({ kind }: { readonly kind: string }): string => kind;

/** Charges: signed, sent, and what became of them. */
export const chargeTests: ChainTests = {
  'signs one charge for each order, in their order, and sends none': async (underTest) => {
    const { chain, receiver } = underTest;
    const target = await subscribed(underTest);
    await underTest.advance(PERIOD_SECONDS);
    const charges = await signedCharges(underTest, target, 1n, 2n, 3n);
    const { blockHeight } = valueOf(await chain.head(), 'the head');
    for (const { wire, signature, lastValidBlockHeight } of charges) {
      expectEqual(chain.signatureOf(wire), signature, 'the signature of a signed charge');
      expectThat(
        lastValidBlockHeight > blockHeight,
        `a height above ${blockHeight} as the last valid one`,
        lastValidBlockHeight,
      );
    }
    await underTest.settle();
    expectEqual(await underTest.balanceOf(receiver), PRICE, 'what the receiver has before a charge is sent');
    const received = [];
    for (const charge of charges) {
      const outcome = await sentOutcome(underTest, charge);
      received.push(outcome.kind === 'landed' ? outcome.received : outcome.kind);
    }
    expectEqual(received, [1n, 2n, 3n], 'what the receiver got by each charge');
    expectEqual(await chain.signCharges([]), { ok: true, value: [] }, 'the result of no orders');
  },

  'tells apart what charges paid that may share a transaction': async (underTest) => {
    const { chain, receiver } = underTest;
    const first = await subscribed(underTest);
    const second = await subscribedToAnother(underTest);
    await underTest.advance(PERIOD_SECONDS);
    const charges = await signedTogether(underTest, [first, PRICE - 1n], [second, PRICE - 2n]);
    await chain.send([...new Set(charges.map(({ wire }) => wire))]);
    await underTest.settle();
    const outcomes = await chain.resolve(charges);
    expectEqual(
      outcomes.map((outcome) => (outcome.kind === 'landed' ? outcome.received : outcome.kind)),
      [PRICE - 1n, PRICE - 2n],
      'what the receiver got by each charge',
    );
    expectEqual(await underTest.balanceOf(receiver), 4n * PRICE - 3n, 'what the receiver has');
  },

  'lets no charge share a transaction with one that would fail': async (underTest) => {
    const { chain } = underTest;
    const due = await subscribed(underTest);
    await underTest.advance(PERIOD_SECONDS);
    const paid = await subscribedToAnother(underTest);
    const charges = await signedTogether(underTest, [paid, PRICE], [due, PRICE]);
    expectEqual(new Set(charges.map(({ signature }) => signature)).size, 2, 'the number of transactions');
    await chain.send(charges.map(({ wire }) => wire));
    await underTest.settle();
    expectEqual((await chain.resolve(charges)).map(kindOf), ['failed', 'landed'], 'the outcomes');
  },

  'lands a transaction once, however often it is sent': async (underTest) => {
    const { chain, receiver } = underTest;
    const target = await subscribed(underTest);
    await underTest.advance(PERIOD_SECONDS);
    // Half of the price: the program itself would refuse to take the whole price twice.
    const [charge] = await signedCharges(underTest, target, PRICE / 2n);
    expectThat(charge !== undefined, 'a signed charge');
    const first = await chain.send([charge.wire, charge.wire]);
    expectThat(
      first.length === 2 &&
        !first.some(({ kind }) => kind === 'refused') &&
        first.some(({ kind }) => kind === 'sent'),
      'the first copy to be sent and none to be refused',
      first,
    );
    await underTest.settle();
    const outcome = await outcomeOf(underTest, charge);
    expectEqual(outcome.kind, 'landed', 'the outcome of the charge');
    const [again] = await chain.send([charge.wire]);
    expectThat(again !== undefined && again.kind !== 'refused', 'a landed copy not to be refused', again);
    await underTest.settle();
    expectEqual(await outcomeOf(underTest, charge), outcome, 'the outcome after another copy was sent');
    expectEqual(await underTest.balanceOf(receiver), PRICE + PRICE / 2n, 'what the receiver has');
  },

  'reports when a charge landed and what the receiver got': async (underTest) => {
    const target = await subscribed(underTest);
    await underTest.advance(PERIOD_SECONDS);
    const before = valueOf(await underTest.chain.head(), 'the head');
    const outcome = await sentOutcome(underTest, await signedCharge(underTest, target));
    expectThat(outcome.kind === 'landed', 'the charge to land', outcome);
    expectEqual(outcome.received, PRICE, 'what the receiver got');
    expectThat(
      outcome.slot >= before.slot && outcome.time >= before.time,
      `the slot and the time at which it landed, from ${before.slot} on`,
      outcome.slot,
      outcome.time,
    );
  },

  'classifies why a charge failed on chain': async (underTest) => {
    const target = await subscribed(underTest);
    const early = await sentOutcome(underTest, await signedCharge(underTest, target));
    expectThat(early.kind === 'failed', 'a charge of a period that is paid to fail', early);
    expectEqual(early.refusal, { kind: 'program', code: 400 }, 'the refusal of charging a period twice');
    await underTest.advance(PERIOD_SECONDS);
    await underTest.setBalance(PRICE - 1n);
    const poor = await sentOutcome(underTest, await signedCharge(underTest, target));
    expectThat(poor.kind === 'failed', 'a charge of a wallet without enough tokens to fail', poor);
    expectEqual(poor.refusal, { kind: 'program', code: 1 }, 'the refusal for lack of tokens');
    expectThat(poor.slot > 0n, 'the slot in which it failed', poor.slot);
  },

  'reports an unsent transaction as waiting, and later as not found': async (underTest) => {
    const target = await subscribed(underTest);
    const charge = await signedCharge(underTest, target);
    expectEqual(await outcomeOf(underTest, charge), { kind: 'waiting' }, 'the outcome while it can land');
    await underTest.expire();
    expectEqual(
      await outcomeOf(underTest, charge),
      { kind: 'not_found' },
      'the outcome once its block height has passed at finalized',
    );
  },

  'never lands a transaction whose block height has passed': async (underTest) => {
    const target = await subscribed(underTest);
    await underTest.advance(PERIOD_SECONDS);
    const charge = await signedCharge(underTest, target);
    await underTest.expire();
    await expectEach(
      [() => sentOutcome(underTest, charge), { kind: 'not_found' }, 'the outcome of sending it late'],
      [() => underTest.balanceOf(underTest.receiver), PRICE, 'what the receiver has'],
    );
  },

  'reports what landed or failed as before when much time has passed': async (underTest) => {
    const target = await subscribed(underTest);
    const failed = await signedCharge(underTest, target);
    const before = [await sentOutcome(underTest, failed)];
    await underTest.advance(PERIOD_SECONDS);
    const paid = await signedCharge(underTest, target);
    before.push(await sentOutcome(underTest, paid));
    await underTest.expire();
    await underTest.advance(30 * 24 * 3_600);
    const after = [await outcomeOf(underTest, failed), await outcomeOf(underTest, paid)];
    expectEqual(before.map(kindOf), ['failed', 'landed'], 'the outcomes at first');
    expectEqual(after, before, 'the outcomes a month later');
  },

  'returns one outcome for each query, in their order': async (underTest) => {
    const { chain } = underTest;
    const target = await subscribed(underTest);
    const failed = await signedCharge(underTest, target);
    await sentOutcome(underTest, failed);
    await underTest.advance(PERIOD_SECONDS);
    const paid = await signedCharge(underTest, target);
    await sentOutcome(underTest, paid);
    const [unsent] = await signedCharges(underTest, target, PRICE - 1n);
    expectThat(unsent !== undefined, 'a signed charge');
    const asked: readonly SignedTransaction[] = [paid, unsent, failed, unsent, paid];
    expectEqual(
      (await chain.resolve(asked)).map(kindOf),
      ['landed', 'waiting', 'failed', 'waiting', 'landed'],
      'the outcomes',
    );
    expectEqual(await chain.resolve([]), [], 'the outcomes of no queries');
  },

  'reads payments from the history of an account, newest first': async (underTest) => {
    const { chain } = underTest;
    await underTest.setBalance(10n * PRICE);
    const plan = await publishedPlan(underTest);
    const start = valueOf(await chain.head(), 'the head').time;
    const first = await firstPayment(underTest, plan);
    const firstOutcome = await sentOutcome(underTest, first);
    const target = { plan, wallet: underTest.wallet };
    await sentOutcome(underTest, await signedCharge(underTest, target));
    await underTest.advance(PERIOD_SECONDS);
    const boundary = valueOf(await chain.head(), 'the head').time;
    const [charge] = await signedCharges(underTest, target, PRICE / 2n);
    expectThat(charge !== undefined, 'a signed charge');
    const outcome = await sentOutcome(underTest, charge);
    expectThat(outcome.kind === 'landed' && firstOutcome.kind === 'landed', 'both payments to land', outcome);
    const { slot } = valueOf(await chain.head(), 'the head');
    const historyOf = async (since: Date, of = target) =>
      valueOf(await chain.readHistory({ ...of, since, slot }), 'the history of a subscription');
    expectEqual(
      // A chain need not know the fee.
      (await historyOf(start)).payments.map(({ lamports: _, ...payment }) => payment),
      [
        {
          signature: charge.signature,
          paymentIndex: 0,
          wire: charge.wire,
          slot: outcome.slot,
          time: outcome.time,
          amount: PRICE / 2n,
          received: PRICE / 2n,
        },
        {
          signature: first.signature,
          paymentIndex: 0,
          wire: first.wire,
          slot: firstOutcome.slot,
          time: firstOutcome.time,
          amount: PRICE,
          received: PRICE,
        },
      ],
      'all payments, without the charge that failed',
    );
    expectEqual(
      (await historyOf(boundary)).payments.map(({ signature }) => signature),
      [charge.signature],
      'the payments since the boundary',
    );
    expectEqual((await historyOf(start)).createdAt, firstOutcome.time, 'when the account was made');
    expectEqual((await historyOf(boundary)).createdAt, null, 'when it was made, as of a time after that');
    expectEqual(
      await historyOf(start, { ...target, wallet: underTest.stranger }),
      { payments: [], createdAt: null },
      'the history of a wallet that never subscribed',
    );
  },

  'returns one result for each transaction it sends, in their order': async (underTest) => {
    const { chain } = underTest;
    const target = await subscribed(underTest);
    await underTest.advance(PERIOD_SECONDS);
    const { wire } = await signedCharge(underTest, target);
    const results = await chain.send(['AAAA', wire, '']);
    expectEqual(results.map(kindOf), ['refused', 'sent', 'refused'], 'the results');
    expectEqual(await chain.send([]), [], 'the results of sending nothing');
  },
};
