// Heavy: each test cancels, resumes or closes subscriptions, and most wait through a period.

import type { KeyPairSigner } from '@solana/kit';
import type { BuildRequest } from '@subrail/core/ports';
import { beforeEach, describe, expect, it } from 'vitest';

import { sendTransaction } from '@subrail/localnet';
import {
  MONTH,
  type Action,
  actionsOf,
  type ChainFault,
  changeViews,
  historySilent,
  DAY,
  openSubscriber,
  type OutsideActions,
  PRICE,
  type TestWorld,
  type TestWorldOptions,
} from '@subrail/test-world';

let world: TestWorld;
let wallet: KeyPairSigner;
let id: string;
let outside: OutsideActions;

async function begin(options: TestWorldOptions = {}): Promise<void> {
  ({ world, wallet, id, outside } = await openSubscriber('paid', options));
}

const build = (action: Action) => actionsOf(world, wallet, id).build(action);
const confirm = (action: Action, signature: string) =>
  actionsOf(world, wallet, id).confirm(action, signature);
const signed = (action: Action) => actionsOf(world, wallet, id).signed(action);
const act = (action: Action) => actionsOf(world, wallet, id).act(action);
const read = async () => (await world.call('GET', `/subscriptions/${id}`)).body;

beforeEach(() => begin());

describe('cancel', () => {
  // cancel-resume-close#nothing-to-confirm
  it('can be confirmed only when a transaction was built since the last confirmed cancellation', async () => {
    const nothing = { status: 400, body: { code: 'nothing_to_confirm' } };
    const { wire, signature } = await signed('cancel');
    await sendTransaction(world.rpc, wire);
    await confirm('cancel', signature);
    await act('resume');
    expect(await confirm('cancel', signature)).toMatchObject(nothing);
    await signed('cancel');
    expect(await confirm('close', signature)).toMatchObject({ body: { code: 'subscription_not_cancelled' } });
  });

  // cancel-resume-close#cancelled-on-chain-already
  it('settles a cancellation that was made without the service, and answers subscription_cancelled', async () => {
    await outside.cancel();
    expect(await build('cancel')).toMatchObject({ status: 409, body: { code: 'subscription_cancelled' } });
    expect(await read()).toMatchObject({ status: 'cancelled', access: true });
    expect((await world.events()).slice(2)).toEqual(['cancelled']);
  });

  // cancel-resume-close#expired-only-if-built
  it('answers transaction_expired for the signature of the built transaction only', async () => {
    const other = await signed('cancel');
    world.advance(1_000);
    const { signature } = await signed('cancel');
    world.advance(DAY);
    expect(await confirm('cancel', other.signature)).toMatchObject({
      status: 201,
      body: { reason_code: 'cancellation_not_landed' },
    });
    expect(await confirm('cancel', signature)).toMatchObject({
      status: 201,
      body: { reason_code: 'transaction_expired' },
    });
  });

  // cancel-resume-close#resume-confirm-without-a-cancellation
  it('has nothing to confirm by a resume while it was never cancelled, and a resume may be confirmed again', async () => {
    const nothing = { status: 400, body: { code: 'nothing_to_confirm' } };
    const { signature } = await signed('cancel');
    expect(await confirm('resume', signature)).toMatchObject(nothing);
    await act('cancel');
    const resumed = await signed('resume');
    await sendTransaction(world.rpc, resumed.wire);
    for (let times = 0; times < 2; times++) {
      const { status, body } = await confirm('resume', resumed.signature);
      expect({ status, body }).toMatchObject({ status: 201, body: { subscription: { status: 'active' } } });
      expect(body).not.toHaveProperty('reason_code');
    }
  });
});

describe('resume', () => {
  // attempts#same-account-or-another
  it('answers resume_unverified for one that was closed and made again on its grid while no history can be read', async () => {
    await act('cancel');
    const { signature } = await signed('resume');
    const expiry = Date.parse(String((await read())['closable_from']));
    world.advance(expiry - 1000 - world.now().getTime());
    await outside.remake();
    world.injectFaults(historySilent);
    expect(await confirm('resume', signature)).toMatchObject({
      status: 201,
      body: { subscription: { id, next_charge_at: null }, reason_code: 'resume_unverified' },
    });
    world.clearFaults();
    await world.work();
    expect(await world.holding(world.owner)).toBe(PRICE);
  });

  // cancel-resume-close#resume-names-the-expiry
  it('is refused by the chain when the subscription was cancelled again since, with a later expiry', async () => {
    world.advance(MONTH - 20_000);
    await act('cancel');
    const { wire } = await signed('resume');
    await outside.resume();
    world.advance(30_000);
    await world.work();
    await outside.cancel();
    await expect(sendTransaction(world.rpc, wire)).rejects.toThrow();
    // The new cancellation is still in place: only a cancelled subscription can be resumed.
    await expect(outside.resume()).resolves.toBeUndefined();
  });
});

describe('close', () => {
  // cancel-resume-close#how-each-ending-closes, cancel-resume-close#deposit-returns-to-its-payer
  it.each<[string, (wallet: string) => string, string]>([
    ['revokes an abandoned one when the wallet paid the deposit', (own) => own, 'revoke_abandoned'],
    ['cancels and revokes when another one paid it', () => world.owner.address, 'cancel_and_revoke'],
  ])('of one whose authorisation is gone %s', async (_, payerOf, by) => {
    await outside.closeAuthority();
    world.advance(MONTH);
    await world.work();
    const payer = payerOf(wallet.address);
    const requests: BuildRequest[] = [];
    const recorded: ChainFault = (chain) => ({
      build(request) {
        requests.push(request);
        return chain.build(request);
      },
    });
    const paidBy = changeViews((view) => ({
      ...view,
      subscription: view.subscription && { ...view.subscription, payer },
    }));
    world.injectFaults(recorded, paidBy);
    expect(await build('close')).toMatchObject({ status: 201 });
    expect(requests).toMatchObject([{ kind: 'close', by, payer }]);
  });
});
