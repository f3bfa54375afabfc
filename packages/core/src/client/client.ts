import type { CheckAccess } from '../operations/access/operations.js';
import type { Declaration } from '../operations/operation.js';
import type { ProjectGroups, WalletGroups } from '../operation-table.js';
import { functionsOf } from './functions.js';
import type { Listed, Page } from './listed.js';
import type { CallOptions, ClientOptions } from './options.js';
import { CONTRACT_ROUTES, SESSION_ROUTES, WALLET_ROUTES } from './routes.js';
import { createSend } from './send.js';

/** The answer of a function over HTTP: a page of a list can be iterated. */
type Answered<Answer> = [Answer] extends [Page] ? Listed<Answer> : Promise<Answer>;

/** A function in process as a function over HTTP: it also takes the options of a call. */
type Remote<Signature> = Signature extends CheckAccess
  ? CheckAccess<[options?: CallOptions]>
  : Signature extends (...args: infer Args) => Promise<infer Answer>
    ? (...args: [...Args, options?: CallOptions]) => Answered<Answer>
    : never;

/** The operations of a group that have a route for a caller without a management key. */
type Routed<Group> = {
  readonly [
    Member in keyof Group as Group[Member] extends Declaration<unknown, 'project' | 'wallet'> ? Member : never
  ]: Group[Member] extends Declaration<infer Signature> ? Remote<Signature> : never;
};

type Groups = Omit<ProjectGroups, 'projects'> & WalletGroups;
type RoutedGroups = {
  readonly [Group in keyof Groups as keyof Routed<Groups[Group]> extends never ? never : Group]: Routed<
    Groups[Group]
  >;
};

/**
 * A project as functions over HTTP: the functions of `billing.project(id)` that have a route, each with the
 * options of the call as its last argument. A failed call throws a `CallError`, a refused one an `ApiError`.
 */
export interface Client extends Routed<ProjectGroups['projects']>, RoutedGroups {}

/**
 * Creates a client of the service's HTTP routes. It needs nothing but `fetch`, and sends nothing before a
 * function is called. Throws a TypeError for an option with which no call can be made.
 *
 * @example
 * const client = createClient({ url: 'https://billing.example.com', key });
 * const { access } = await client.access.check({ external_id: 'customer-42', plan: 'pro' });
 */
export function createClient(options: ClientOptions): Client {
  const routes = [...CONTRACT_ROUTES, ...SESSION_ROUTES, ...WALLET_ROUTES];
  const { projects, ...groups } = functionsOf(createSend(options), routes);
  // The routes are made from the operations. The compiler does not see that.
  return { ...projects, ...groups } as unknown as Client;
}
