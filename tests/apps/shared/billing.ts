// The billing of the apps that open the service when they start, in their own process and on their own database.

import { openBillingOnce } from '@subrail/adapters/node';

export const billing = await openBillingOnce({
  handler: { basePath: '/billing', clientAddress: (request) => request.headers.get('x-real-ip') },
})();

/** Whether a customer may read what is paid for. */
export async function mayRead(customer: string): Promise<boolean> {
  const shop = billing.project(process.env['SUBRAIL_PROJECT'] ?? '');
  return (await shop.access.check({ external_id: customer, plan: 'pro' })).access;
}
