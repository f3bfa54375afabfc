import type { KeyPairSigner } from '@solana/kit';
import type { SubscriptionId } from '@subrail/core';

import { PRICE, type ApiAnswer, type TestWorld } from '@subrail/test-world';
import { expectInvariants } from '../invariants/expect-invariants.js';

const AT_ONCE = 50;

/** Fifty calls, none of which waits for another; `call` is told which one it is. */
export function concurrently(call: (index: number) => Promise<ApiAnswer>): Promise<ApiAnswer[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, (_, index) => call(index)));
}

/** How many different things answers say: one, when all say the same. */
export function distinct(
  answers: readonly ApiAnswer[],
  field: (body: Record<string, unknown>) => unknown,
): number {
  return new Set(answers.map(({ body }) => JSON.stringify(field(body)))).size;
}

/** The statuses and codes there are among answers. */
export function codes(answers: readonly ApiAnswer[]): string[] {
  const code = ({ body }: ApiAnswer) => (typeof body['code'] === 'string' ? body['code'] : 'ok');
  return [...new Set(answers.map((answer) => `${answer.status} ${code(answer)}`))];
}

/**
 * How much there is of everything a payment leaves behind, over every subscription that is listed of a wallet and those
 * named beside; none of it may break invariants#one-payment-per-period.
 */
export async function counts(world: TestWorld, wallet: KeyPairSigner, unlisted: readonly string[] = []) {
  const { body } = await world.call('GET', `/subscriptions?wallet=${wallet.address}&limit=100`);
  const listed = (body['data'] as { id: string }[]).map(({ id }) => id);
  const ids = [...listed, ...unlisted];
  await expectInvariants(world, ids);
  const transfers = await Promise.all(ids.map((id) => world.store.listTransfers(id as SubscriptionId)));
  const attempts = await Promise.all(ids.map((id) => world.call('GET', `/subscriptions/${id}/attempts`)));
  const events = await world.storedEvents();
  const deliveries = await Promise.all(events.map(({ id }) => world.store.listDeliveries(id)));
  return {
    subscriptions: ids.length,
    transfers: transfers.flat().length,
    attempts: attempts.flatMap((answer) => answer.body['data'] as object[]).length,
    events: events.map(({ type }) => type.replace('subscription.', '')),
    deliveries: deliveries.flat().length,
    paid: (await world.holding(world.owner)) / PRICE,
  };
}

/** What one checkout leaves, before an endpoint that is told of both of its events. */
export const ONE_CHECKOUT = {
  subscriptions: 1,
  transfers: 1,
  attempts: 1,
  events: ['created', 'access_granted'],
  deliveries: 2,
  paid: 1n,
};
