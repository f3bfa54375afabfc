import type { ChargeTarget } from '../../ports/chain.js';
import { expectEqual, expectThat } from '../expect.js';
import { aSignature } from '../records.js';
import type { ChainTests } from './chain-under-test.js';
import {
  aPlanOnChain,
  PERIOD_SECONDS,
  PRICE,
  publishedPlan,
  sentOutcome,
  signedCharge,
  subscribed,
  subscribedToAnother,
  valueOf,
  viewOf,
  walletOutcome,
} from './scene.js';

/** Reads of accounts that exist and that do not. */
export const readTests: ChainTests = {
  'reads one genesis hash for as long as the chain exists, and its network': async (underTest) => {
    const { chain } = underTest;
    const before = valueOf(await chain.readGenesis(), 'the genesis');
    expectEqual(before.network, chain.network, 'the network of the genesis hash');
    expectThat(before.hash !== '', 'a genesis hash', before);
    await underTest.advance(PERIOD_SECONDS);
    expectEqual(valueOf(await chain.readGenesis(), 'the genesis'), before, 'the genesis, read again later');
  },

  'reads a head that moves with the chain, with its time in whole seconds': async (underTest) => {
    const { chain } = underTest;
    const before = valueOf(await chain.head(), 'the head');
    await underTest.advance(PERIOD_SECONDS);
    const after = valueOf(await chain.head(), 'the head');
    expectEqual(after.time.getTime() % 1_000, 0, 'the milliseconds of the chain’s time');
    const passed = (after.time.getTime() - before.time.getTime()) / 1_000;
    expectThat(passed >= PERIOD_SECONDS, `at least ${PERIOD_SECONDS} seconds to have passed`, passed);
    expectThat(
      after.slot > before.slot && after.blockHeight > before.blockHeight && after.blockHeight <= after.slot,
      'a higher slot and a higher block height, which is at most the slot',
      before,
      after,
    );
  },

  'reads what the charger has, and by how much one charge lessens it': async (underTest) => {
    const { chain } = underTest;
    const target = await subscribed(underTest);
    await underTest.advance(PERIOD_SECONDS);
    const before = valueOf(await chain.readCharger(), 'the charger');
    expectThat(
      before.chargeFee >= 0n && before.charges > 0n && before.charges * before.chargeFee <= before.balance,
      'a balance that pays for some charges',
      before,
    );
    await sentOutcome(underTest, await signedCharge(underTest, target));
    const after = valueOf(await chain.readCharger(), 'the charger');
    expectEqual(after.balance, before.balance - before.chargeFee, 'the balance after a charge');
    expectEqual(after.charges, before.charges - 1n, 'the number of charges that it still pays for');
  },

  'says how its servers have answered so far, without a call': async (underTest) => {
    const { chain } = underTest;
    valueOf(await chain.head(), 'the head');
    underTest.disconnect();
    const { servers, hostClockAheadSeconds } = chain.servers();
    expectThat(servers.length > 0, 'at least one server', servers);
    expectThat(
      servers.every(({ condition, aheadSeconds }) => condition === 'ok' && aheadSeconds === null),
      'no server to fail or to have a wrong clock',
      servers,
    );
    expectThat(
      servers.some(({ calls, failures }) => calls > 0 && failures === 0),
      'calls that did not fail',
      servers,
    );
    expectEqual(hostClockAheadSeconds, null, 'by how much the clock of the host is wrong');
  },

  'derives an address per owner and number, and per plan and wallet': async ({
    chain,
    owner,
    wallet,
    stranger,
  }) => {
    const plans = [
      await chain.planAddress(owner, 1_000n),
      await chain.planAddress(owner, 1_001n),
      await chain.planAddress(owner, 2n ** 64n - 1n),
      await chain.planAddress(stranger, 1_000n),
    ] as const;
    const all = [
      ...plans,
      await chain.subscriptionAddress(plans[0], wallet),
      await chain.subscriptionAddress(plans[0], stranger),
      await chain.subscriptionAddress(plans[1], wallet),
    ];
    expectEqual(new Set(all).size, all.length, 'the number of different addresses');
    expectEqual(await chain.planAddress(owner, 1_000n), plans[0], 'an address that is derived again');
  },

  'reads a plan as it was created, and null where there is none': async (underTest) => {
    const { chain, owner, receiver, mint } = underTest;
    const absent = await chain.planAddress(owner, 1_000n);
    expectEqual(valueOf(await chain.readPlan(absent), 'no plan'), null, 'a plan that was not created');
    const { time } = valueOf(await chain.head(), 'the head');
    const plan = await publishedPlan(underTest);
    const read = valueOf(await chain.readPlan(plan.address), 'the plan');
    expectEqual(
      read,
      {
        owner,
        mint: mint.address,
        amount: PRICE,
        periodHours: 1,
        createdAt: read?.createdAt,
        endsAt: null,
        sunset: false,
        destinations: [receiver],
        pullers: [chain.charger],
      },
      'the plan',
    );
    expectThat((read?.createdAt ?? 0) >= time, 'createdAt to be the chain’s time of its creation', read);
  },

  'reads many plans, in their order, at both commitments, or null': async (underTest) => {
    const { chain, owner } = underTest;
    const plan = await publishedPlan(underTest);
    const absent = await chain.planAddress(owner, 1_001n);
    await underTest.expire();
    const wanted = Array.from({ length: 130 }, (_, index) => (index % 3 === 0 ? plan.address : absent));
    const view = valueOf(await chain.readPlan(plan.address), 'the plan');
    for (const commitment of ['confirmed', 'finalized'] as const) {
      const reads = await chain.readPlans(wanted, commitment);
      expectEqual(
        reads.map((read) => valueOf(read, 'a plan')),
        wanted.map((address) => (address === absent ? null : view)),
        `the plans, ${commitment}`,
      );
    }
    expectEqual(await chain.readPlans([], 'confirmed'), [], 'the plans at no addresses');
  },

  'reads a mint, and null where there is none': async (underTest) => {
    const { chain, owner, mint } = underTest;
    const { address, tokenProgram, decimals, names = null } = mint;
    expectEqual(
      valueOf(await chain.readMint(address), 'the mint'),
      { tokenProgram, decimals, paused: false, transferable: true, hookProgram: null, scaled: false, names },
      'the mint',
    );
    const absent = await chain.planAddress(owner, 1_000n);
    expectEqual(valueOf(await chain.readMint(absent), 'no mint'), null, 'a mint that does not exist');
  },

  'tells the address of a wallet from every other one': async (underTest) => {
    const { chain, wallet, receiver, stranger, mint } = underTest;
    const plan = await publishedPlan(underTest);
    const view = await viewOf(underTest, { plan, wallet });
    const expected = [
      [wallet, 'wallet', 'a wallet with a token account'],
      [stranger, 'wallet', 'a wallet without one'],
      [receiver, 'wallet', 'a wallet that is paid'],
      [mint.address, 'token', 'a mint'],
      [view.receiver?.address ?? '', 'token', 'a token account'],
      [mint.tokenProgram, 'program', 'a token program'],
      [plan.address, 'off_curve', 'the address of a plan, whose account has no key'],
      [await chain.planAddress(stranger, 1_000n), 'off_curve', 'an address without a key or an account'],
    ] as const;
    for (const [address, kind, what] of expected)
      expectEqual(valueOf(await chain.readAddress(address), what).kind, kind, `the kind of ${what}`);
  },

  'reads what an address has, and 0 where there is no account': async (underTest) => {
    const { chain, stranger } = underTest;
    const absent = await chain.planAddress(stranger, 1_000n);
    const lamportsOf = async (of: string) => valueOf(await chain.readAddress(of), 'an address').lamports;
    const charger = valueOf(await chain.readCharger(), 'the charger');
    expectEqual(
      [await lamportsOf(chain.charger), await lamportsOf(absent)],
      [charger.balance, 0n],
      'the lamports of the charger, and of an address without an account',
    );
  },

  'reads what a transaction brought to a wallet, and null for one that no block has': async (underTest) => {
    const { chain, wallet, receiver, mint } = underTest;
    const target = await subscribed(underTest);
    await underTest.advance(PERIOD_SECONDS);
    const { signature, ...charge } = await signedCharge(underTest, target);
    const receipt = async (of: string, mintOf = mint.address, by = signature) =>
      valueOf(await chain.readReceipt({ signature: by, wallet: of, mint: mintOf }), 'a receipt');
    expectEqual(await receipt(receiver), null, 'the receipt of a transaction that was not sent');
    const outcome = await sentOutcome(underTest, { signature, ...charge });
    expectThat(outcome.kind === 'landed', 'the charge to land', outcome);
    const { time } = outcome;
    expectEqual(await receipt(receiver), { time, succeeded: true, received: PRICE }, 'that of the receiver');
    expectEqual((await receipt(wallet))?.received, 0n, 'what the charge brought to the wallet that paid');
    expectEqual((await receipt(receiver, wallet))?.received, 0n, 'what it brought of another token');
    expectEqual(await receipt(receiver, mint.address, aSignature()), null, 'that of an unknown transaction');
  },

  'reads every token account of a wallet for a mint, and none of a wallet without one': async (underTest) => {
    const { chain, wallet, stranger, mint } = underTest;
    await underTest.setBalance(7n);
    const tokensOf = async (of: string) =>
      valueOf(await chain.readTokensOf(of, mint.address), 'the token accounts of a wallet');
    const [account, ...others] = await tokensOf(wallet);
    expectEqual([account?.balance, others], [7n, []], 'what the only token account of the wallet has');
    const { kind } = valueOf(await chain.readAddress(account?.address ?? ''), 'the token account');
    expectEqual(kind, 'token', 'the kind of the address of that account');
    expectEqual(await tokensOf(stranger), [], 'the token accounts of a wallet that has none');
  },

  'lists the subscriptions to a plan that are not cancelled, at finalized': async (underTest) => {
    const { chain, wallet } = underTest;
    const target = await subscribed(underTest);
    const another = await subscribedToAnother(underTest);
    await underTest.expire();
    const subscribersOf = async ({ plan: { address } }: ChargeTarget) =>
      valueOf(await chain.readSubscribers(address), 'the subscriptions to a plan');
    const { subscription } = await viewOf(underTest, target);
    expectEqual(await subscribersOf(target), [{ ...subscription, wallet }], 'the only subscription');
    await walletOutcome(underTest, wallet, { ...another, kind: 'cancel' });
    await underTest.expire();
    expectEqual(await subscribersOf(another), [], 'the subscriptions to a plan whose only one is cancelled');
    const absent = await aPlanOnChain(underTest, 2_000n);
    expectEqual(await subscribersOf({ ...target, plan: absent }), [], 'the subscriptions to an absent plan');
  },

  'reads accounts of a charge that do not exist as null': async (underTest) => {
    const plan = await aPlanOnChain(underTest, 1_000n);
    const view = await viewOf(underTest, { plan, wallet: underTest.stranger });
    expectEqual(
      [view.plan, view.subscription, view.authority.generation, view.source],
      [null, null, null, null],
      'the plan, the subscription, the authority’s generation and the source',
    );
    expectThat(view.mint !== null, 'the mint, which exists, to be read', view);
  },

  'reads everything that a charge depends on, at both commitments': async (underTest) => {
    const { chain, wallet, receiver } = underTest;
    const target = await subscribed(underTest);
    await underTest.expire();
    for (const commitment of ['confirmed', 'finalized'] as const) {
      const view = await viewOf(underTest, target, commitment);
      const { plan, subscription, source, authority } = view;
      expectEqual(
        plan,
        valueOf(await chain.readPlan(target.plan.address), 'the plan'),
        `the plan, ${commitment}`,
      );
      expectEqual(
        subscription,
        {
          generation: authority.generation,
          planCreatedAt: target.plan.createdAt,
          payer: wallet,
          amount: PRICE,
          periodHours: 1,
          periodStart: subscription?.periodStart,
          pulled: PRICE,
          expiresAt: null,
        },
        `the subscription, ${commitment}`,
      );
      expectThat(authority.generation !== null, 'the authority to have a generation', authority);
      expectEqual(
        [source?.owner, source?.balance, source?.frozen, source?.delegate],
        [wallet, 9n * PRICE, false, authority.address],
        `the source’s owner, balance, frozen and delegate, ${commitment}`,
      );
      expectThat((source?.delegatedAmount ?? 0n) >= PRICE, 'an approval of at least the next price', source);
      expectEqual(
        { ...view.receiver, address: '' },
        { address: '', owner: receiver, frozen: false, needsMemo: false, confidentialOnly: false },
        `the receiver, ${commitment}`,
      );
      expectThat(view.slot > 0n && view.time > target.plan.createdAt, 'the slot and its time', view.slot);
    }
  },

  'reads the owner’s token account where the receiver has none, if allowed': async (underTest) => {
    const { owner, receiver, stranger, wallet } = underTest;
    const open = { ...(await publishedPlan(underTest, 1_000n, [])), receiver: stranger };
    const closed = { ...(await publishedPlan(underTest, 1_001n, [stranger, receiver])), receiver: stranger };
    const [ofOpen, ofClosed] = [
      await viewOf(underTest, { plan: open, wallet }),
      await viewOf(underTest, { plan: closed, wallet }),
    ];
    expectEqual(ofOpen.receiver?.owner, owner, 'the receiver of a plan that may pay anyone');
    expectEqual(ofClosed.receiver, null, 'the receiver of a plan that may not pay the owner');
  },

  'reads one result for each target, in their order': async (underTest) => {
    const { chain, wallet, stranger } = underTest;
    const plan = await publishedPlan(underTest);
    const wallets = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? wallet : stranger));
    const targets = wallets.map((of) => ({ plan, wallet: of }));
    const views = await chain.readCharges(targets, 'confirmed');
    expectEqual(
      views.map((view) => valueOf(view, 'a charge').source?.owner ?? null),
      wallets.map((of) => (of === wallet ? wallet : null)),
      'the owners of the sources',
    );
    expectEqual(await chain.readCharges([], 'confirmed'), [], 'the views of no targets');
  },
};
