import { userOf } from '@/auth';
import { billing } from '@/billing';
import { createCustomerHandler } from '@subrail/core';

const customers = createCustomerHandler(billing, {
  project: process.env.SUBRAIL_PROJECT ?? '',
  customer: async (request) => (await userOf(request))?.id ?? null,
});
export { customers as GET, customers as POST };
