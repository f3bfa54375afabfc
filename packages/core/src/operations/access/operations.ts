import type * as z from 'zod';

import { Access, type AccessAnswer, type AccessList } from '../../contract/access.js';
import { AccessQuery, type AccessQueryInput } from '../../contract/requests.js';
import { operation } from '../operation.js';
import { checkAccess } from './check-access.js';

/** The check of access, whose answer differs with a named plan. `Options` are the arguments of clients. */
export interface CheckAccess<Options extends readonly unknown[] = []> {
  /**
   * Checks whether a customer has access: to one plan when the query names it, else to every plan that the
   * customer has a subscription to. The answer is computed for this instant; `revalidate_after` is how many
   * seconds it may be cached.
   *
   * Refuses with `not_found`, `invalid_request` or `plan_not_found`.
   *
   * @example
   * const { access, access_until } = await shop.access.check({ external_id: 'customer-42', plan: 'pro' });
   *
   * const { plans } = await shop.access.check({ external_id: 'customer-42' });
   * const allowed = plans.filter(({ access }) => access).map(({ plan }) => plan);
   */
  (query: AccessQueryInput & { readonly plan: string }, ...options: Options): Promise<AccessAnswer>;
  (query: AccessQueryInput & { readonly plan?: undefined }, ...options: Options): Promise<AccessList>;
  (query: AccessQueryInput, ...options: Options): Promise<Access>;
}

export const accessOperations = {
  check: operation<CheckAccess>()({
    method: 'GET',
    path: '/v1/access',
    // The schema leaves a customer who is named twice to `run`, whose answer says what to do.
    input: AccessQuery as z.ZodType<AccessQuery, AccessQueryInput>,
    output: Access,
    errors: ['plan_not_found'],
    summary:
      'Whether a customer has access. Name the customer by exactly one of wallet, external_id and email. With plan, one answer; without, one for every plan with a subscription of the customer.',
    run: ({ service, project, input }) => checkAccess(service, project, input),
  }),
};
