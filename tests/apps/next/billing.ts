import { openBillingOnce } from '@subrail/adapters/node';

export const billing = openBillingOnce();
