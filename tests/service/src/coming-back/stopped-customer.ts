import {
  changeOutcomes,
  type CustomerOptions,
  type IssuedCheckout,
  openSubscriber,
  statusAndCode,
} from '@subrail/test-world';
import { expect } from 'vitest';

/** A customer whose subscription stopped over a missed second month, and whose wallet can pay again. */
export async function openStopped(options: CustomerOptions = {}) {
  const { id: old, ...customer } = await openSubscriber('stopped', options);
  const { world, issue, submit } = customer;
  return {
    ...customer,
    /** The stopped subscription. */
    old,
    cancelOld: async (): Promise<void> => {
      const { body } = await customer.cancel(old);
      expect(body).toMatchObject({ subscription: { status: 'cancelled' } });
    },
    /**
     * Submits a comeback whose transaction lands while the service cannot read its outcome: the checkout
     * stays pending, and the wallet can act meanwhile.
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
