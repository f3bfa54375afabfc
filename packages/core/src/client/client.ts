import type { ProjectBilling } from '../billing.js';
import type { Access, AccessAnswer, AccessList } from '../contract/access.js';
import type { BuildAnswer } from '../contract/build.js';
import type { AccessQueryInput } from '../contract/requests.js';
import type {
  WalletConfirmation,
  WalletConfirmBody,
  WalletSubmitBody,
  WalletSubmitted,
  WalletSubscriptionPage,
  WalletSubscriptionsQueryInput,
  WalletTransactionBody,
} from '../contract/wallet.js';
import { listed, type Listed, type Page } from './listed.js';
import type { CallOptions, ClientOptions } from './options.js';
import { ROUTES, type Route } from './routes.js';
import { pathSegment } from './path-segment.js';
import { createSend, type Send } from './send.js';

/** The answer of a function over HTTP: a page of a list can be iterated. */
type Answered<Answer> = [Answer] extends [Page] ? Listed<Answer> : Promise<Answer>;

/** A function in process as a function over HTTP: it also takes the options of a call. */
type Remote<InProcess> = InProcess extends (...args: infer Args) => Promise<infer Answer>
  ? (...args: [...Args, options?: CallOptions]) => Answered<Answer>
  : never;

type RemoteGroup<Functions> = { readonly [Member in keyof Functions]: Remote<Functions[Member]> };

/** The functions of a group that have a route. */
type Routed<Group extends keyof typeof ROUTES & keyof ProjectBilling> = RemoteGroup<
  Pick<ProjectBilling[Group], keyof ProjectBilling[Group] & keyof (typeof ROUTES)[Group]>
>;

/** Access: what a customer may use now. */
export interface ClientAccess {
  /**
   * Checks whether a customer has access: to one plan when the query names it, else to every plan that the customer has a
   * subscription to. The answer is computed for this instant; `revalidate_after` is how many seconds it may be cached.
   *
   * Refuses with `invalid_request` or `plan_not_found`.
   */
  check(query: AccessQueryInput & { readonly plan: string }, options?: CallOptions): Promise<AccessAnswer>;
  check(query: AccessQueryInput & { readonly plan?: undefined }, options?: CallOptions): Promise<AccessList>;
  check(query: AccessQueryInput, options?: CallOptions): Promise<Access>;
}

/**
 * What a page on which wallets cancel calls. The routes need no key, because only the wallet's signature changes anything, and
 * cover the subscriptions of every project. A service has them when its handler was made with `walletRoutes`; else, each call
 * refuses with `not_found`.
 */
export interface ClientWallets {
  /**
   * Lists what a wallet is or was subscribed to, newest first, at most 20 on a page.
   *
   * Refuses with `invalid_request`.
   *
   * @example
   * const wallets = createClient({ url: 'https://billing.example.com' }).wallets;
   * for await (const { id, name, actions } of wallets.subscriptions(wallet)) console.log(id, name, actions);
   */
  subscriptions(
    wallet: string,
    query?: WalletSubscriptionsQueryInput,
    options?: CallOptions,
  ): Listed<WalletSubscriptionPage>;
  /**
   * Builds the transaction that cancels, resumes or closes a subscription, for the wallet to sign. Stores nothing.
   *
   * Refuses with `invalid_request`, `subscription_not_found`, `subscription_cancelled`, `subscription_not_cancelled`,
   * `subscription_ended`, `already_subscribed`, `close_too_early`, `plan_removed`, `plan_replaced`, `subscription_not_on_chain` or `network_unavailable`.
   */
  transaction(
    wallet: string,
    id: string,
    body: WalletTransactionBody,
    options?: CallOptions,
  ): Promise<BuildAnswer>;
  /**
   * Sends the transaction that the wallet signed, for wallets that do not send. Repeating it sends the same transaction.
   *
   * Refuses with `invalid_request`, `subscription_not_found`, `not_our_transaction`, `transaction_refused` or `network_unavailable`.
   */
  submit(wallet: string, id: string, body: WalletSubmitBody, options?: CallOptions): Promise<WalletSubmitted>;
  /**
   * Waits until the chain shows what the wallet did, up to 90 seconds, and records it. `reason_code` of the answer is null when
   * the action is done.
   *
   * Refuses with `invalid_request`, `subscription_not_found`, `subscription_not_active`, `subscription_not_cancelled`,
   * `subscription_ended`, `subscription_not_on_chain`, `nothing_to_confirm`, `subscription_changed` or `network_unavailable`.
   */
  confirm(
    wallet: string,
    id: string,
    body: WalletConfirmBody,
    options?: CallOptions,
  ): Promise<WalletConfirmation>;
}

/**
 * A project as functions over HTTP: those functions of `billing.project(id)` that have a route, under the same names, each
 * with the options of the call as its last argument. A failed call throws a `CallError`: an `ApiError` when the service
 * refused it.
 */
export interface Client {
  /** Reads the project that the key belongs to. */
  readonly retrieve: Remote<ProjectBilling['retrieve']>;
  readonly access: ClientAccess;
  readonly plans: Routed<'plans'>;
  readonly subscriptions: Routed<'subscriptions'>;
  readonly events: Routed<'events'>;
  /** The routes of wallets, which need no key. */
  readonly wallets: ClientWallets;
}

/**
 * Creates a client of the service's HTTP routes. It needs nothing but `fetch`, and sends nothing before a function is called.
 * Throws a TypeError for an option with which no call can be made.
 *
 * @example
 * const client = createClient({ url: 'https://billing.example.com', key });
 * const { access } = await client.access.check({ external_id: 'customer-42', plan: 'pro' });
 */
export function createClient(options: ClientOptions): Client {
  const send = createSend(options);
  const { projects, ...groups } = mapValues(ROUTES, (group: Readonly<Record<string, Route>>) =>
    mapValues(group, (route) => functionOf(send, route)),
  );
  // The compiler compares ROUTES with the operations, but it cannot derive the arguments of a function from its route.
  return { ...projects, ...groups } as unknown as Client;
}

function mapValues<Key extends string, Value, Result>(
  table: Readonly<Record<Key, Value>>,
  map: (value: Value) => Result,
): Record<Key, Result> {
  const entries = Object.entries(table) as [Key, Value][];
  return Object.fromEntries(entries.map(([key, value]) => [key, map(value)])) as Record<Key, Result>;
}

/**
 * The function of a route. It takes the parameters of the path, if the path has any, then the input, if the route has one, and
 * then the options.
 */
function functionOf(send: Send, route: Route): (...args: readonly unknown[]) => Promise<object> {
  const names = Array.from(route.path.matchAll(/\{(\w+)\}/g), ([, name]) => String(name));
  return (...args) => {
    const parameters = names.map((name, place) => ({ name, value: args[place] }));
    const rest = args.slice(names.length);
    const input = route.input ? (rest.shift() as object | undefined) : undefined;
    const options = (rest[0] ?? {}) as CallOptions;
    const answer = async (given: object | undefined) => {
      const path = parameters.reduce(
        (filled, { name, value }) => filled.replace(`{${name}}`, pathSegment(name, value)),
        route.path,
      );
      return send({ route, path, input: given }, options);
    };
    if (!route.pages) return answer(input);
    const page = (given: object | undefined) => answer(given) as Promise<Page>;
    return listed(page(input), (id) => page({ ...input, starting_after: id }));
  };
}
