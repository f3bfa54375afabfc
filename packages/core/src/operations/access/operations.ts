import { Access } from '../../contract/access.js';
import { AccessQuery } from '../../contract/requests.js';
import { operation } from '../operation.js';
import { checkAccess } from './check-access.js';

/** Access: what a customer may use now. */
export const accessOperations = [
  operation({
    name: 'access.check',
    scope: 'project',
    method: 'GET',
    path: '/v1/access',
    limit: 'read',
    input: AccessQuery,
    output: Access,
    status: 200,
    notFound: null,
    errors: ['plan_not_found'],
    summary:
      'Whether a customer has access. Name the customer by exactly one of wallet, external_id and email. With plan, one answer; without, one for every plan with a subscription of the customer.',
    run: ({ service, project, input }) => checkAccess(service, project, input),
  }),
] as const;
