import type { KeyPairSigner } from '@solana/kit';
import { expect } from 'vitest';

import { signTransaction, signMessage } from '@subrail/host-node/local';
import { DAY, PRICE, type World } from '@subrail/test-world';

/** What create and transaction hand out. */
export interface Handed {
  readonly subscription: { readonly id: string };
  readonly transaction: string;
  readonly terms: { readonly message: string };
  readonly costs: { readonly rent: object };
}

type Answer = Awaited<ReturnType<World['call']>>;

export function create(world: World, wallet: KeyPairSigner, customer = 'customer-1'): Promise<Answer> {
  return world.call('POST', '/subscriptions', { plan: 'pro', wallet: wallet.address, external_id: customer });
}

export async function handed(world: World, wallet: KeyPairSigner, customer?: string): Promise<Handed> {
  const { status, body } = await create(world, wallet, customer);
  expect(status, JSON.stringify(body)).toBe(201);
  return body as unknown as Handed;
}

export function transaction(world: World, { subscription }: Handed): Promise<Answer> {
  return world.call('POST', `/subscriptions/${subscription.id}/transaction`);
}

/** What was handed out, signed by a wallet: the body of a submit. */
export async function signed(wallet: KeyPairSigner, { transaction, terms }: Handed) {
  return {
    transaction: await signTransaction(wallet, transaction),
    terms_signature: await signMessage(wallet, terms.message),
  };
}

/** Submits what was handed out, signed by a wallet; `under` is the checkout it is submitted for. */
export async function submit(
  world: World,
  wallet: KeyPairSigner,
  what: Handed,
  under = what.subscription.id,
): Promise<Answer> {
  return world.call('POST', `/subscriptions/${under}/submit`, await signed(wallet, what));
}

/** The status of an answer, with its code or its reason's. */
export function told({ status, body }: Answer): string {
  return `${status} ${String(body['code'] ?? body['reason_code'])}`;
}

/**
 * A subscription of a wallet that holds ten prices, a month old: late, and after three days stopped. The money is back when
 * it is too late.
 */
export async function missed(world: World, wallet: KeyPairSigner, days: number): Promise<string> {
  const id = await world.subscribe(wallet);
  await world.take(wallet, 9n * PRICE);
  world.advance(30 * DAY);
  await world.work();
  for (let day = 0; day < days; day++) {
    world.advance(DAY);
    await world.work();
  }
  await world.give(wallet, 9n * PRICE);
  return id;
}
