import type { PlanChanges } from '../../ports/chain.js';
import { expectEqual, expectThat } from '../expect.js';
import type { ChainTests } from './chain-under-test.js';
import {
  built,
  firstPayment,
  PERIOD_SECONDS,
  PRICE,
  publishedPlan,
  sentOutcome,
  submittedPayment,
  subscribed,
  valueOf,
  viewOf,
  walletOutcome,
} from './scene.js';

/** Transactions that a wallet signs: built, inspected, co-signed, simulated, and what they do on chain. */
export const walletTransactionTests: ChainTests = {
  'builds an unsigned transaction, with its last height and its costs': async (underTest) => {
    const { chain, wallet } = underTest;
    const target = { plan: await publishedPlan(underTest), wallet };
    const head = valueOf(await chain.head(), 'the head');
    const view = await viewOf(underTest, target);
    const unsigned = await built(underTest, { ...target, kind: 'subscribe', view });
    expectEqual(chain.signatureOf(unsigned.transaction), null, 'the signature of what nobody signed');
    expectThat(
      unsigned.lastValidBlockHeight > head.blockHeight,
      `a last valid block height above ${head.blockHeight}`,
      unsigned.lastValidBlockHeight,
    );
    expectThat(unsigned.expiresAt > head.time, 'expiresAt to be in the future', unsigned.expiresAt);
    const { rent, fee, total } = unsigned.costs;
    expectThat(rent.subscription > 0n && (rent.authority ?? 0n) > 0n, 'rent for both new accounts', rent);
    expectEqual(
      [rent.total, fee.total, total],
      [
        rent.subscription + (rent.authority ?? 0n),
        BigInt(fee.signatures) * fee.perSignature + fee.priority,
        rent.total + fee.total,
      ],
      'the totals of the rent, of the fee, and of both',
    );
    expectEqual(fee.signatures, 2, 'the number of signatures, the wallet’s and the charger’s');
    expectEqual(unsigned.approves, true, 'whether the first transaction of a wallet approves its authority');
  },

  'asks no rent for accounts that exist': async (underTest) => {
    const target = await subscribed(underTest);
    const view = await viewOf(underTest, target);
    const comeback = await built(underTest, { ...target, kind: 'comeback', view });
    expectEqual(comeback.costs.rent, { subscription: 0n, authority: null, total: 0n }, 'the comeback’s rent');
    expectEqual(comeback.approves, false, 'whether a comeback approves an authority that is approved');
    const second = { ...target, plan: await publishedPlan(underTest, 1_001n) };
    const another = await built(underTest, {
      ...second,
      kind: 'subscribe',
      view: await viewOf(underTest, second),
    });
    expectEqual(another.costs.rent.authority, null, 'the authority’s rent of a second subscription');
    const cancel = await built(underTest, { ...target, kind: 'cancel' });
    expectEqual(
      [cancel.costs.fee.signatures, cancel.costs.rent.total],
      [1, 0n],
      'the number of signatures of a cancellation, and its rent',
    );
  },

  'tells the built transaction from every other one': async (underTest) => {
    const { chain, wallet, stranger } = underTest;
    const plan = await publishedPlan(underTest);
    const subscribe = async (of: string) => {
      const target = { plan, wallet: of };
      return (await built(underTest, { ...target, kind: 'subscribe', view: await viewOf(underTest, target) }))
        .transaction;
    };
    const [ours, theirs] = [await subscribe(wallet), await subscribe(stranger)];
    const cheaper = (
      await built(underTest, {
        kind: 'subscribe',
        wallet,
        plan: { ...plan, amount: 1n },
        view: await viewOf(underTest, { plan, wallet }),
      })
    ).transaction;
    const signed = await underTest.sign(ours, wallet);
    expectEqual(
      await chain.inspect(signed, ours, wallet),
      { kind: 'ours', signature: chain.signatureOf(signed), hasBuiltLifetime: true },
      'the inspection of the built transaction, signed by the wallet',
    );
    const others = [
      ['the built transaction without the wallet’s signature', ours, 'wallet_unsigned'],
      ['another message that the wallet signed', await underTest.sign(cheaper, wallet), 'other_message'],
      [
        'a transaction of another wallet, which signed it',
        await underTest.sign(theirs, stranger),
        'other_wallet',
      ],
      ['an empty text', '', 'undecodable'],
      ['a text that is no transaction', 'AAAA', 'undecodable'],
      ['a text that is not base64', '%%%', 'undecodable'],
    ] as const;
    for (const [what, submitted, kind] of others)
      expectEqual(await chain.inspect(submitted, ours, wallet), { kind }, `the inspection of ${what}`);
    for (const undecodable of ['', 'AAAA', '%%%'])
      expectEqual(chain.signatureOf(undecodable), null, `the signature of "${undecodable}"`);
  },

  'tells the wallet’s signature of a built transaction from every other one': async (underTest) => {
    const { chain, wallet, stranger } = underTest;
    const target = await subscribed(underTest);
    const { transaction } = await built(underTest, { ...target, kind: 'cancel' });
    const other = await built(underTest, { ...target, kind: 'resume', expiresAt: new Date(1_000) });
    const signatureOf = async (unsigned: string) =>
      chain.signatureOf(await underTest.sign(unsigned, wallet)) ?? '';
    const signature = await signatureOf(transaction);
    expectEqual(
      [
        await chain.isSignatureOf(signature, transaction, wallet),
        await chain.isSignatureOf(signature, other.transaction, wallet),
        await chain.isSignatureOf(signature, transaction, stranger),
        await chain.isSignatureOf(await signatureOf(other.transaction), transaction, wallet),
        await chain.isSignatureOf('not a signature', transaction, wallet),
      ],
      [true, false, false, false, false],
      'whether each is the signature',
    );
  },

  'finds the wallet’s signature of a text, and takes no other one for it': async (underTest) => {
    const { chain, wallet, stranger } = underTest;
    const text = 'Terms: 10 tokens every 30 days\nNonce: Grüße €';
    const signature = await underTest.signText(text, wallet);
    const ofWallet = { wallet, text, signature, signedMessage: null };
    expectEqual(await chain.readTextSignature(ofWallet), { signature, envelope: null }, 'the signature');
    const others = [
      ['of another text', { ...ofWallet, text: `${text} ` }],
      ['of another wallet', { ...ofWallet, wallet: stranger }],
      ['by another wallet', { ...ofWallet, signature: await underTest.signText(text, stranger) }],
      ['that is no signature', { ...ofWallet, signature: '%%%' }],
      ['that is empty', { ...ofWallet, signature: '' }],
      ['of an address without a key', { ...ofWallet, wallet: chain.charger }],
    ] as const;
    for (const [what, signed] of others)
      expectEqual(await chain.readTextSignature(signed), null, `a signature ${what}`);
  },

  'reads until when a submitted transaction can land, and that it no longer can': async (underTest) => {
    const { chain } = underTest;
    const { unsigned, submitted } = await submittedPayment(underTest, await publishedPlan(underTest));
    const last = valueOf(await chain.readLifetime(submitted), 'the last block height');
    expectThat(
      last !== null && last >= unsigned.lastValidBlockHeight,
      `a last block height of at least ${unsigned.lastValidBlockHeight}`,
      last,
    );
    await underTest.expire();
    expectEqual(
      await chain.readLifetime(submitted),
      { ok: true, value: null },
      'the last block height of a transaction that can no longer land',
    );
  },

  'co-signs without changing the wallet’s signature or the message': async (underTest) => {
    const { chain, wallet } = underTest;
    const { unsigned, submitted } = await submittedPayment(underTest, await publishedPlan(underTest));
    const { wire, signature, lastValidBlockHeight } = await chain.cosign(submitted, 123n);
    expectEqual(
      [signature, chain.signatureOf(wire), lastValidBlockHeight],
      [chain.signatureOf(submitted), signature, 123n],
      'the signature, that of the wire, and the given block height',
    );
    expectEqual(
      await chain.inspect(wire, unsigned.transaction, wallet),
      { kind: 'ours', signature, hasBuiltLifetime: true },
      'the inspection of the co-signed transaction',
    );
  },

  'simulates without sending, and returns what the chain would refuse': async (underTest) => {
    const { chain, receiver } = underTest;
    await underTest.setBalance(PRICE);
    const payment = await firstPayment(underTest, await publishedPlan(underTest));
    expectEqual(await chain.simulate(payment.wire), { ok: true, value: null }, 'the simulation of a payment');
    await underTest.settle();
    expectEqual(await underTest.balanceOf(receiver), 0n, 'what the receiver got by the simulation');
    await underTest.setBalance(PRICE - 1n);
    const refused = valueOf(await chain.simulate(payment.wire), 'a refusal');
    expectEqual([refused?.kind, refused?.code], ['program', 1], 'the simulation without the tokens');
    expectThat(refused?.cause !== '', 'the cause of the refusal, for a person', refused);
    const broken = valueOf(await chain.simulate('AAAA'), 'a refusal');
    expectEqual(broken?.kind, 'chain', 'the refusal of a text that is no transaction');
  },

  'cancels, resumes and closes a subscription': async (underTest) => {
    const { wallet } = underTest;
    const target = await subscribed(underTest);
    const expiresAt = async () => (await viewOf(underTest, target)).subscription?.expiresAt ?? null;
    const outcome = await walletOutcome(underTest, wallet, { ...target, kind: 'cancel' });
    expectEqual(
      [outcome.kind, outcome.kind === 'landed' ? outcome.received : 0n],
      ['landed', null],
      'the outcome of a cancellation, which pays nobody',
    );
    const until = await expiresAt();
    expectThat(until !== null, 'the subscription to have an expiry once it is cancelled');
    await walletOutcome(underTest, wallet, { ...target, kind: 'resume', expiresAt: until });
    expectEqual(await expiresAt(), null, 'the expiry once it is resumed');
    await walletOutcome(underTest, wallet, { ...target, kind: 'cancel' });
    await underTest.advance(PERIOD_SECONDS + 1);
    const closing = { ...target, kind: 'close', by: 'revoke', payer: wallet } as const;
    expectEqual((await walletOutcome(underTest, wallet, closing)).kind, 'landed', 'the outcome of the close');
    await underTest.expire();
    expectEqual(
      (await viewOf(underTest, target, 'finalized')).subscription,
      null,
      'the subscription, read at finalized once it is closed',
    );
  },

  'cancels one subscription and pays for another in one transaction': async (underTest) => {
    const { chain, wallet } = underTest;
    const old = await subscribed(underTest);
    const target = { plan: await publishedPlan(underTest, 1_001n), wallet };
    const change = async () => {
      const view = await viewOf(underTest, target);
      const unsigned = await built(underTest, { ...target, kind: 'change', view, replaced: old.plan });
      const submitted = await underTest.sign(unsigned.transaction, wallet);
      return chain.cosign(submitted, unsigned.lastValidBlockHeight);
    };
    await underTest.setBalance(PRICE - 1n);
    await sentOutcome(underTest, await change());
    const [kept, none] = [await viewOf(underTest, old), await viewOf(underTest, target)];
    expectEqual(
      [kept.subscription?.expiresAt, none.subscription],
      [null, null],
      'the expiry of the old subscription, and the new one, when the wallet cannot pay',
    );
    await underTest.setBalance(PRICE);
    await underTest.advance(1);
    const outcome = await sentOutcome(underTest, await change());
    expectEqual(outcome.kind === 'landed' ? outcome.received : outcome.kind, PRICE, 'what the change paid');
    const [ended, made] = [await viewOf(underTest, old), await viewOf(underTest, target)];
    expectThat(
      ended.subscription?.expiresAt != null && ended.subscription.expiresAt > ended.time,
      'the old subscription to be cancelled at the end of its period',
      ended.subscription,
    );
    expectEqual(
      [made.subscription?.pulled, made.subscription?.expiresAt],
      [PRICE, null],
      'what was charged of the new subscription, and its expiry',
    );
  },

  'changes a plan as asked, leaves the rest, and deletes it after its end': async (underTest) => {
    const { chain, owner, stranger } = underTest;
    const { address } = await publishedPlan(underTest);
    const read = async () => valueOf(await chain.readPlan(address), 'the plan');
    const update = async (changes: PlanChanges) => {
      await underTest.advance(1);
      const outcome = await walletOutcome(underTest, owner, { kind: 'update_plan', owner, address, changes });
      expectEqual(outcome.kind, 'landed', 'the outcome of a change of a plan');
    };
    const created = await read();
    const { time } = valueOf(await chain.head(), 'the head');
    const endsAt = new Date(time.getTime() + 3 * PERIOD_SECONDS * 1000);
    await update({ endsAt });
    expectEqual(await read(), { ...created, endsAt }, 'a plan that was given an end');
    await update({ pullers: [stranger, chain.charger] });
    const pullers = [stranger, chain.charger];
    expectEqual(await read(), { ...created, endsAt, pullers }, 'a plan that was given a puller');
    await update({ sunset: true });
    expectEqual(await read(), { ...created, endsAt, pullers, sunset: true }, 'a sunset plan');
    await update({ pullers: [chain.charger] });
    expectEqual(await read(), { ...created, endsAt, sunset: true }, 'a sunset plan that lost a puller');
    await underTest.advance(3 * PERIOD_SECONDS + 10);
    const outcome = await walletOutcome(underTest, owner, { kind: 'delete_plan', owner, address });
    expectEqual([outcome.kind, await read()], ['landed', null], 'the deletion, and the deleted plan');
  },

  'pays a later period by a comeback over the subscription that exists': async (underTest) => {
    const target = await subscribed(underTest);
    const before = (await viewOf(underTest, target)).subscription?.periodStart;
    await underTest.advance(5 * PERIOD_SECONDS);
    const outcome = await sentOutcome(underTest, await firstPayment(underTest, target.plan, 'comeback'));
    expectEqual(outcome.kind === 'landed' ? outcome.received : outcome.kind, PRICE, 'what the comeback paid');
    const after = (await viewOf(underTest, target)).subscription;
    expectEqual(
      [after?.periodStart.getTime(), after?.pulled],
      [(before?.getTime() ?? 0) + 5 * PERIOD_SECONDS * 1_000, PRICE],
      'the recorded period and what was charged in it',
    );
  },
};
