import type { KeyPairSigner } from '@solana/kit';
import type { SubscriptionId } from '@subrail/core/ports';

import { PRICE, type ApiAnswer, type TestWorld } from '@subrail/test-world';
import { expectInvariants } from '../invariants/expect-invariants.js';

/** Makes concurrent calls, fifty by default; `call` gets the number of each. */
export function concurrently(call: (index: number) => Promise<ApiAnswer>, calls = 50): Promise<ApiAnswer[]> {
  return Promise.all(Array.from({ length: calls }, (_, index) => call(index)));
}

/** How many different values of a field the answers have. */
export function distinct(
  answers: readonly ApiAnswer[],
  field: (body: Record<string, unknown>) => unknown,
): number {
  return new Set(answers.map(({ body }) => JSON.stringify(field(body)))).size;
}

/** The different statuses and codes of the answers. */
export function codes(answers: readonly ApiAnswer[]): string[] {
  const code = ({ body }: ApiAnswer) => (typeof body['code'] === 'string' ? body['code'] : 'ok');
  return [...new Set(answers.map((answer) => `${answer.status} ${code(answer)}`))];
}

/**
 * Counts the traces of payments, over the listed subscriptions of a wallet and some unlisted ones, and checks
 * the invariants of all of them.
 */
export async function counts(world: TestWorld, wallet: KeyPairSigner, unlisted: readonly string[] = []) {
  const { body } = await world.call('GET', `/subscriptions?wallet=${wallet.address}&limit=100`);
  const listed = (body['data'] as { id: string }[]).map(({ id }) => id);
  const ids = [...listed, ...unlisted];
  await expectInvariants(world, ids);
  const transfers = await Promise.all(ids.map((id) => world.store.listTransfers(id as SubscriptionId, 99)));
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

/** What one checkout leaves behind when one endpoint gets both of its events. */
export const ONE_CHECKOUT = {
  subscriptions: 1,
  transfers: 1,
  attempts: 1,
  events: ['created', 'access_granted'],
  deliveries: 2,
  paid: 1n,
};
