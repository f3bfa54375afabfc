import type { KeyPairSigner } from '@solana/kit';
import type { Confirmation } from '@subrail/core/schemas';
import { beforeEach, describe, expect, it } from 'vitest';

import {
  actionsOf,
  type ChainFault,
  issueCheckout,
  openTestWorld,
  PRICE,
  signCheckout,
  type TestWorld,
} from '@subrail/test-world';

let world: TestWorld;
let wallet: KeyPairSigner;

beforeEach(async () => {
  world = await openTestWorld();
  wallet = await world.wallet(10n * PRICE);
});

/** Counts what the service asks the chain while nothing that was sent lands: how many each call asks for. */
function countLookups() {
  const counted = { signatures: [] as number[], accounts: [] as number[] };
  const fault: ChainFault = (chain) => ({
    resolve(queries) {
      counted.signatures.push(queries.length);
      return Promise.resolve(queries.map(() => ({ kind: 'waiting' })));
    },
    readCharges(targets, commitment) {
      counted.accounts.push(targets.length);
      return chain.readCharges(targets, commitment);
    },
    send: (wires) => Promise.resolve(wires.map(() => ({ kind: 'unknown' }))),
  });
  world.injectFaults(fault);
  return counted;
}

const concurrently = <T>(count: number, call: () => Promise<T>) =>
  Promise.all(Array.from({ length: count }, call));
const codes = (answers: readonly Confirmation[]) => [
  ...new Set(answers.map((answer) => ('reason_code' in answer ? answer.reason_code : null))),
];

/** A wallet with a subscription whose cancellation it signed and did not send. */
async function signedCancel(of: KeyPairSigner) {
  const id = await world.subscribe(of);
  const { signature } = await actionsOf(world, of, id).signed('cancel');
  return () => world.billing.project(world.projectId).subscriptions.confirmCancel(id, { signature });
}

// cancel-resume-close#backoff-of-waiting-confirms, cancel-resume-close#confirm-wait-of-ninety-seconds
describe('calls that wait for the chain', () => {
  it('look up as often for a hundred confirms of one signature as for one, and once more at 90 seconds', async () => {
    const confirm = await signedCancel(wallet);
    const alone = countLookups();
    const began = world.now().getTime();
    await confirm();
    expect(world.now().getTime() - began).toBe(90_000);
    expect([alone.signatures.length, alone.accounts.length]).toEqual([26, 26]);

    const shared = countLookups();
    const answers = await concurrently(100, confirm);
    expect(codes(answers)).toEqual(['cancellation_not_landed']);
    expect(shared.signatures.length).toBeLessThanOrEqual(30);
    expect(shared.accounts.length).toBe(shared.signatures.length);
  });

  it('look up all of a half second in one call, for confirms of different subscriptions', async () => {
    const confirms = [await signedCancel(wallet)];
    while (confirms.length < 5) confirms.push(await signedCancel(await world.wallet(10n * PRICE)));
    const counted = countLookups();
    const answers = await Promise.all(confirms.map((confirm) => confirm()));
    expect(codes(answers)).toEqual(['cancellation_not_landed']);
    // The first look-up of each, and then one call after another for all of them.
    expect(counted.signatures.length).toBeLessThanOrEqual(5 + 30);
    expect(counted.signatures.filter((size) => size === 5).length).toBeGreaterThanOrEqual(20);
    expect(counted.accounts).toEqual(counted.signatures);
  });

  // checkout#submit-waits-ninety-seconds
  it('look up as often for thirty submits of one transaction as for one', async () => {
    const checkout = await issueCheckout(world, wallet);
    const body = await signCheckout(wallet, checkout);
    const counted = countLookups();
    const { subscriptions } = world.billing.project(world.projectId);
    const answers = await concurrently(30, () => subscriptions.submit(checkout.subscription.id, body));
    expect(codes(answers)).toEqual(['nothing_landed']);
    expect(counted.signatures.length).toBeLessThanOrEqual(30);
  });
});
