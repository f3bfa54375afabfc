import type { KeyPairSigner } from '@solana/kit';
import {
  createCustomerHandler,
  createHandler,
  VERSION,
  type AppCustomer,
  type CustomerHandlerOptions,
  type FetchHandler,
} from '@subrail/core';
import { signTransaction } from '@subrail/localnet';
import { type ApiAnswer, type IssuedCheckout, signCheckout, type TestWorld } from '@subrail/test-world';

/** What a page sends besides its path and body. */
interface PageOptions {
  /** Headers in place of those that every page sends. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The address of the client. */
  readonly client?: string;
}

/** A page in a browser, which calls the routes of a customer by their paths below `/customer/v1`. */
export interface CustomerPage {
  readonly call: (
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    options?: PageOptions,
  ) => Promise<ApiAnswer & { readonly headers: Headers }>;
  /** Creates a checkout for a wallet; throws when the answer is not 201. */
  readonly create: (wallet: KeyPairSigner, more?: object) => Promise<IssuedCheckout>;
  /** Signs and submits what was created. */
  readonly submit: (wallet: KeyPairSigner, checkout: IssuedCheckout) => Promise<ApiAnswer>;
  /** Creates, signs and submits; returns the id of the subscription. */
  readonly pay: (wallet: KeyPairSigner, more?: object) => Promise<string>;
  /** Builds, signs, sends and confirms a change of a subscription. */
  readonly act: (
    wallet: KeyPairSigner,
    id: string,
    action: 'cancel' | 'resume' | 'close',
  ) => Promise<ApiAnswer>;
  /** The first view. */
  readonly view: () => Promise<Record<string, unknown>>;
}

const CLIENT = 'x-client';
const clientAddress = (request: Request) => request.headers.get(CLIENT);

/** A page that sends these headers to a handler, whose routes of customers begin at an address. */
function pageOn(
  world: TestWorld,
  handler: FetchHandler,
  start: string,
  sent: Readonly<Record<string, string>>,
): CustomerPage {
  const call: CustomerPage['call'] = async (method, path, body, { headers, client = '203.0.113.7' } = {}) => {
    const response = await handler(
      new Request(start + path, {
        method,
        headers: headers ?? {
          'content-type': 'application/json',
          'service-version': VERSION,
          [CLIENT]: client,
          ...sent,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const answer = (await response.json()) as Record<string, unknown>;
    return { status: response.status, body: answer, headers: response.headers };
  };
  const created = async (path: string, body?: object) => {
    const answer = await call('POST', path, body);
    if (answer.status !== 201) throw new Error(`${path} answered ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const create: CustomerPage['create'] = async (wallet, more = {}) =>
    (await created('/subscriptions', {
      ...{ plan: 'pro', wallet: wallet.address },
      ...more,
    })) as unknown as IssuedCheckout;
  const submit: CustomerPage['submit'] = async (wallet, checkout) =>
    call('POST', `/subscriptions/${checkout.subscription.id}/submit`, await signCheckout(wallet, checkout));
  return {
    call,
    create,
    submit,
    async pay(wallet, more) {
      world.advance(1000);
      const checkout = await create(wallet, more);
      const { status, body } = await submit(wallet, checkout);
      if (status !== 201 || 'reason_code' in body) throw new Error(`submit answered ${JSON.stringify(body)}`);
      return checkout.subscription.id;
    },
    async act(wallet, id, action) {
      world.advance(1000);
      const path = `/subscriptions/${id}`;
      const { transaction } = await created(`${path}/${action}`);
      const signed = await signTransaction(wallet, String(transaction));
      const { signature } = await created(`${path}/send`, { transaction: signed });
      return call('POST', `${path}/${action}/confirm`, { signature });
    },
    view: async () => (await call('GET', '/session')).body,
  };
}

/** The service as pages with sessions reach it. */
export function servedTo(world: TestWorld): FetchHandler {
  return createHandler(world.billing, { customerRoutes: true, clientAddress });
}

/** A page that was opened at the address of a session, or with its secret. */
export function pageOf(world: TestWorld, address: string, handler = servedTo(world)): CustomerPage {
  const secret = address.slice(address.indexOf('#') + 1);
  return pageOn(world, handler, 'https://pay.example/customer/v1', { authorization: `Bearer ${secret}` });
}

/** Opens a link, and the page of the session that it opened. */
export async function openLink(world: TestWorld, link: string): Promise<CustomerPage> {
  const { body, status } = await visit(world, link);
  if (status !== 201) throw new Error(`The link answered ${JSON.stringify(body)}`);
  return pageOf(world, String(body['secret']));
}

export function visit(world: TestWorld, link: string, handler = servedTo(world)): Promise<ApiAnswer> {
  const id = link.slice(link.lastIndexOf('/') + 1);
  return pageOn(world, handler, 'https://pay.example/customer/v1', {}).call('POST', `/links/${id}/sessions`);
}

/** The log-in of a customer of an app, in the header that the app of these tests reads. */
const LOGIN = 'x-login';

/** An app that knows its customers by a header. */
export function appOf(world: TestWorld, options: Partial<CustomerHandlerOptions> = {}): FetchHandler {
  return createCustomerHandler(world.billing, {
    project: world.projectId,
    clientAddress,
    customer: (request) =>
      JSON.parse(decodeURIComponent(request.headers.get(LOGIN) ?? 'null')) as AppCustomer | null,
    ...options,
  });
}

/** A page of an app, with a customer who is logged in, or nobody. */
export function pageOfApp(
  world: TestWorld,
  customer: AppCustomer | null,
  handler = appOf(world),
): CustomerPage {
  const login = customer === null ? {} : { [LOGIN]: encodeURIComponent(JSON.stringify(customer)) };
  return pageOn(world, handler, 'https://app.example/api/billing', login);
}
