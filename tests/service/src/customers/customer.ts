import { expect, onTestFinished } from 'vitest';
import {
  actionsOf,
  type Call,
  changeOutcomes,
  createCheckout,
  freshTransaction,
  issueCheckout,
  type IssuedCheckout,
  missSecondMonth,
  openTestWorld,
  PRICE,
  statusAndCode,
  submitCheckout,
  type TestWorldOptions,
} from '@subrail/test-world';

/** A test world with one wallet that holds ten times the price, and the calls that its customer makes. */
export async function openCustomer(options: TestWorldOptions = {}) {
  const world = await openTestWorld({ store: 'sqlite', ...options });
  onTestFinished(() => world.close());
  const wallet = await world.wallet(10n * PRICE);
  return {
    world,
    wallet,
    outside: await world.outside(wallet),
    create: (customer?: string) => createCheckout(world, wallet, customer),
    /** Creates a checkout; throws when the answer is not 201. */
    issue: (customer?: string) => issueCheckout(world, wallet, customer),
    transaction: (checkout: IssuedCheckout) => freshTransaction(world, checkout),
    submit: (checkout: IssuedCheckout) => submitCheckout(world, wallet, checkout),
    /** Submits through another host. */
    submitTo: (host: { readonly call: Call }, checkout: IssuedCheckout) =>
      submitCheckout(host, wallet, checkout),
    read: async (id: string) => (await world.call('GET', `/subscriptions/${id}`)).body,
    statusOf: async ({ subscription: { id } }: IssuedCheckout) =>
      (await world.call('GET', `/subscriptions/${id}`)).body['status'],
    cancel: (id: string) => actionsOf(world, wallet, id).act('cancel'),
  };
}

/**
 * A customer who missed the second month, whose subscription stopped, and whose wallet has its money back.
 * @param days how many days were worked through after the missed boundary; the last of the plan's retries is on the third
 */
export async function openStopped(options: TestWorldOptions = {}, days = 3) {
  const customer = await openCustomer(options);
  const { world, wallet, issue, submit, read } = customer;
  const old = await missSecondMonth(world, wallet, days);
  expect(await read(old)).toMatchObject({ status: 'stopped' });
  return {
    ...customer,
    /** The stopped subscription. */
    old,
    cancelOld: async (): Promise<void> => {
      const { body } = await customer.cancel(old);
      expect(body).toMatchObject({ subscription: { status: 'cancelled' } });
    },
    /**
     * Submits a comeback whose transaction lands while the service cannot read its outcome: the checkout stays pending,
     * and the wallet can act meanwhile.
     */
    unsettledComeback: async (): Promise<IssuedCheckout> => {
      const checkout = await issue();
      let signature: string | null = null;
      world.injectFaults(
        changeOutcomes((outcome, query) => {
          signature ??= query.signature;
          return query.signature === signature ? { kind: 'unknown' } : outcome;
        }),
      );
      expect(statusAndCode(await submit(checkout))).toBe('201 nothing_landed');
      return checkout;
    },
  };
}
