import { ServiceError } from '../contract/errors.js';
import { CUSTOMER_OPERATIONS, VISITOR_OPERATIONS } from '../operation-table.js';
import type { Service } from '../service.js';
import { requireCapability } from '../service/store-capabilities.js';
import type { FixedWindows } from '../service/fixed-windows.js';
import { customerGate } from './gate.js';
import { createOpenRouter, linkEntrance } from './open-router.js';
import { createRouter, routeHandler, type Router } from './router.js';

/** Serves the routes under `/customer/v1`: plan links to anybody, the others to the secret of a session. */
export function createCustomerRouter(service: Service, anonymousLimiter: FixedWindows): Router {
  if (service.lacks.has('SessionStore')) return refuseAll(service);
  const sessions = createRouter(service, customerGate(service, CUSTOMER_OPERATIONS), anonymousLimiter);
  const links = createOpenRouter(service, linkEntrance(VISITOR_OPERATIONS));
  return (request, path = request.path) =>
    path?.startsWith('/customer/v1/links/') === true ? links(request, path) : sessions(request, path);
}

/** The answers over a store that cannot store sessions (checkout-sessions#store-without-sessions). */
function refuseAll(service: Service): Router {
  return routeHandler(service, [...CUSTOMER_OPERATIONS, ...VISITOR_OPERATIONS], async (_, matched) => {
    if (matched !== null) requireCapability(service, 'SessionStore');
    throw new ServiceError('not_found');
  });
}
