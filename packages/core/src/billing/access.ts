import type { Access, AccessAnswer, AccessList } from '../contract/access.js';
import type { AccessQueryInput } from '../contract/requests.js';

/** Access: what a customer may use now. */
export interface AccessFunctions {
  /**
   * Checks whether a customer has access: to one plan when the query names it, else to every plan that the customer has a
   * subscription to. The answer is computed for this instant; `revalidate_after` is how many seconds it may be cached.
   *
   * Refuses with `not_found`, `invalid_request` or `plan_not_found`.
   *
   * @example
   * const { access, access_until } = await shop.access.check({ external_id: 'customer-42', plan: 'pro' });
   *
   * const { plans } = await shop.access.check({ external_id: 'customer-42' });
   * const allowed = plans.filter(({ access }) => access).map(({ plan }) => plan);
   */
  check(query: AccessQueryInput & { readonly plan: string }): Promise<AccessAnswer>;
  check(query: AccessQueryInput & { readonly plan?: undefined }): Promise<AccessList>;
  check(query: AccessQueryInput): Promise<Access>;
}
