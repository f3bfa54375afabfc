import { address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { getApproveInstruction } from '@solana-program/token-2022';
import { beforeEach, describe, expect, it } from 'vitest';

import { aCommit } from '@subrail/core/testing';
import { sendInstructions, tokenAccountOf } from '@subrail/localnet';
import {
  issueCheckout,
  openTestWorld,
  PRICE,
  outcomesPending,
  sendsLost,
  signCheckout,
  storedSubscription,
  type IssuedCheckout,
  type TestWorld,
} from '@subrail/test-world';

let world: TestWorld;
let wallet: KeyPairSigner;

beforeEach(async () => {
  world = await openTestWorld({ store: 'sqlite' });
  wallet = await world.wallet(10n * PRICE);
});

const create = (externalId = 'customer-1', who = wallet) => issueCheckout(world, who, externalId);

async function fresh(id: string): Promise<IssuedCheckout> {
  const answer = await world.call('POST', `/subscriptions/${id}/transaction`);
  expect(answer.status).toBe(201);
  return answer.body as unknown as IssuedCheckout;
}

const signed = (checkout: IssuedCheckout, by = wallet) => signCheckout(by, checkout);

const submit = async (checkout: IssuedCheckout, body: object) =>
  world.call('POST', `/subscriptions/${checkout.subscription.id}/submit`, body);

const statusOf = async ({ subscription }: IssuedCheckout) =>
  (await world.call('GET', `/subscriptions/${subscription.id}`)).body['status'];

describe('create and transaction', () => {
  // checkout#concurrent-calls-and-conflicts
  it('answer a fresh transaction though the last one was built by a host whose clock is ahead', async () => {
    const first = await create();
    const { built, version, ...stored } = await storedSubscription(world, first.subscription.id);
    if (built === null) throw new Error('Nothing was built.');
    const ahead = { ...built, builtAt: new Date(built.builtAt.getTime() + 90_000) };
    const subscription = { ...stored, built: ahead, version: version + 1 };
    expect(await world.store.commit([aCommit(subscription)])).toBe('committed');
    // The first can no longer land by now.
    world.advance(80_000);
    const second = await fresh(first.subscription.id);
    expect(await submit(second, await signed(second))).toMatchObject({
      body: { subscription: { status: 'active' } },
    });
  });

  // checkout#costs-of-a-checkout, checkout#fee-payer-and-first-charge
  it('answer the costs of the chain: rent, and two signatures', async () => {
    const { costs } = await create();
    const rent = (size: number) => (BigInt(size) + 128n) * world.localnet.lamportsPerByte;
    expect(costs).toEqual({
      rent: {
        subscription: rent(155).toString(),
        authority: rent(106).toString(),
        total: (rent(155) + rent(106)).toString(),
      },
      fee: { signatures: 2, per_signature: '5000', priority: '0', total: '10000' },
      total: (rent(155) + rent(106) + 10_000n).toString(),
    });
  });
});

it('costs name the priority fee when the service bids for compute units', async () => {
  world = await openTestWorld({ store: 'sqlite', computeUnitPrice: 50_000n });
  wallet = await world.wallet(10n * PRICE);
  const { costs } = await create();
  // 200,000 compute units at 50,000 micro-lamports each.
  expect(costs).toMatchObject({
    fee: { signatures: 2, per_signature: '5000', priority: '10000', total: '20000' },
  });
});

// terms#approval-line-in-the-terms
it('terms say that signing replaces the approval of another app, when there is one', async () => {
  const approval = /^Approval: replaces the approval another app holds on this token$/m;
  const { terms } = await create();
  expect(terms.message).not.toMatch(approval);
  const [source, other] = await Promise.all([
    tokenAccountOf(world.token, wallet.address),
    generateKeyPairSigner(),
  ]);
  const instruction = getApproveInstruction(
    { source, delegate: other.address, owner: wallet, amount: 1n },
    { programAddress: address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA') },
  );
  await world.inNewBlock(() => sendInstructions(world.rpc, wallet, [instruction]));
  expect((await create('customer-2')).terms.message).toMatch(approval);
});

describe('submit', () => {
  // checkout#submit-waits-ninety-seconds, checkout#terms-stay-spent-after-failure, terms#terms-are-spent-once
  it('answers nothing_landed after 90 seconds and transaction_expired once it cannot land; the terms stay spent', async () => {
    const checkout = await create();
    const body = await signed(checkout);
    world.injectFaults(sendsLost, outcomesPending);
    const began = world.now();
    const waited = await submit(checkout, body);
    expect(world.now().getTime() - began.getTime()).toBe(90_000);
    expect(waited).toMatchObject({
      status: 201,
      body: { subscription: { status: 'pending' }, reason_code: 'nothing_landed' },
    });
    world.clearFaults();
    expect(await submit(checkout, body)).toMatchObject({ body: { reason_code: 'transaction_expired' } });
    const again = await fresh(checkout.subscription.id);
    expect(again.terms.message).not.toBe(checkout.terms.message);
    expect((await submit(again, await signed(again))).body).toMatchObject({
      subscription: { status: 'active' },
    });
    expect(await world.holding(world.owner)).toBe(PRICE);
  });

  // checkout#checkout-lifetime, checkout#stored-before-it-is-sent
  it('is settled by the sweep when the process died after sending', async () => {
    const checkout = await create();
    const body = await signed(checkout);
    const { store } = world;
    const commit = store.commit.bind(store);
    let commits = 0;
    // The process dies once the intent is stored and the transaction is sent: nothing more is written.
    store.commit = (changes, figures) =>
      ++commits > 1 ? Promise.reject(new Error('the process is gone')) : commit(changes, figures);
    expect((await submit(checkout, body)).status).toBe(500);
    store.commit = commit;
    world.forgiveErrors('the process is gone');
    world.advance(5_000);
    await world.work();
    expect(await statusOf(checkout)).toBe('active');
    expect(await world.events()).toEqual(['created', 'access_granted']);
    expect((await submit(checkout, body)).body).toMatchObject({ subscription: { status: 'active' } });
  });
});
