import { billing } from '@/billing';
import { createHandler } from '@subrail/core';

const handler = createHandler(billing, {
  basePath: '/billing',
  clientAddress: (request) => request.headers.get('x-real-ip'),
});
export { handler as GET, handler as POST };
