import type { KeyPairSigner } from '@solana/kit';

import { actionsOf } from './actions.js';
import {
  createCheckout,
  freshTransaction,
  issueCheckout,
  submitCheckout,
  type IssuedCheckout,
} from './checkouts.js';
import type { Call } from './http-calls.js';
import type { OutsideActions } from './outside-actions.js';
import { missSecondMonth, storedSubscription } from './subscriptions.js';
import { openWorldAfter, type TestWorld, type TestWorldOptions } from './test-world.js';
import { PRICE } from './units.js';

export interface CustomerOptions extends TestWorldOptions {
  /** The wallet's tokens at first; ten times the price by default, and the price for one to be late. */
  readonly tokens?: bigint;
  /** The customer's external id; `customer-1` by default. */
  readonly customer?: string;
  /** The days of work after the missed boundary; by default three, on the third of which retries end. */
  readonly days?: number;
}

/** A world with a customer, the wallet of the customer, and the calls that this customer makes. */
export interface Customer {
  readonly world: TestWorld;
  readonly wallet: KeyPairSigner;
  /** What others can do on chain to the subscription of the wallet, without the service. */
  readonly outside: OutsideActions;
  readonly create: (customer?: string) => ReturnType<typeof createCheckout>;
  /** Creates a checkout; throws when the answer is not 201. */
  readonly issue: (customer?: string) => Promise<IssuedCheckout>;
  readonly transaction: (checkout: IssuedCheckout) => ReturnType<typeof freshTransaction>;
  readonly submit: (checkout: IssuedCheckout) => ReturnType<typeof submitCheckout>;
  /** Submits through another host. */
  readonly submitTo: (
    host: { readonly call: Call },
    checkout: IssuedCheckout,
  ) => ReturnType<typeof submitCheckout>;
  readonly read: (id: string) => Promise<Readonly<Record<string, unknown>>>;
  readonly statusOf: (checkout: IssuedCheckout) => Promise<unknown>;
  readonly cancel: (id: string) => ReturnType<ReturnType<typeof actionsOf>['act']>;
}

/** A customer with a subscription. */
export interface Subscriber extends Customer {
  readonly id: string;
  /** When the first paid period ends. */
  readonly paidEnd: number;
}

/**
 * What happened to a subscription before a test begins.
 * - `paid`: its first period was paid.
 * - `late`: its wallet is empty since then, and the charge of the second period was just rejected.
 * - `stopped`: the second period was never paid, the retries are spent, and the wallet has its money back.
 */
export type SubscriptionState = 'paid' | 'late' | 'stopped';

const STATES: Readonly<
  Record<SubscriptionState, (world: TestWorld, options: CustomerOptions) => Promise<Played>>
> = {
  paid: (world, options) => subscribeNew(world, options),
  async late(world, options) {
    const played = await subscribeNew(world, { tokens: PRICE, ...options });
    // The clock of the service and that of the chain may differ, and both must have reached it.
    const earlier = Math.min(world.now().getTime(), world.chainTime(world.now()).getTime());
    world.advance(played.paidEnd - earlier);
    await world.work();
    return played;
  },
  async stopped(world, { days = 3 }) {
    const wallet = await world.wallet(10n * PRICE);
    const id = await missSecondMonth(world, wallet, days);
    const { status, paidPeriodEnd } = await storedSubscription(world, id);
    if (status !== 'stopped') throw new Error(`The subscription is ${status}, and not stopped.`);
    return { wallet, id, paidEnd: Number(paidPeriodEnd) };
  },
};

interface Played {
  readonly wallet: KeyPairSigner;
  readonly id: string;
  readonly paidEnd: number;
}

async function subscribeNew(
  world: TestWorld,
  { tokens = 10n * PRICE, customer }: CustomerOptions,
): Promise<Played> {
  const wallet = await world.wallet(tokens);
  const id = await world.subscribe(wallet, customer);
  return { wallet, id, paidEnd: Number((await storedSubscription(world, id)).paidPeriodEnd) };
}

/** Opens a world on SQLite with a customer who has no subscription yet. */
export function openCustomer(options: CustomerOptions = {}): Promise<Customer> {
  const { tokens = 10n * PRICE } = options;
  return openPlayed(options, `new ${tokens}`, async (world) => ({ wallet: await world.wallet(tokens) }));
}

/** Opens a world on SQLite with a customer whose subscription is in a state. */
export function openSubscriber(state: SubscriptionState, options: CustomerOptions = {}): Promise<Subscriber> {
  const { tokens, days, customer } = options;
  return openPlayed(options, [state, tokens, days, customer].join(), (world) =>
    STATES[state](world, options),
  );
}

async function openPlayed<Made extends { readonly wallet: KeyPairSigner }>(
  options: TestWorldOptions,
  name: string,
  play: (world: TestWorld) => Promise<Made>,
): Promise<Customer & Made> {
  const { world, made } = await openWorldAfter<Made>({ store: 'sqlite', ...options }, { name, play });
  const { wallet } = made;
  const read = async (id: string) => (await world.call('GET', `/subscriptions/${id}`)).body;
  return {
    ...made,
    world,
    outside: await world.outside(wallet),
    create: (customer) => createCheckout(world, wallet, customer),
    issue: (customer) => issueCheckout(world, wallet, customer),
    transaction: (checkout) => freshTransaction(world, checkout),
    submit: (checkout) => submitCheckout(world, wallet, checkout),
    submitTo: (host, checkout) => submitCheckout(host, wallet, checkout),
    read,
    statusOf: async ({ subscription: { id } }) => (await read(id))['status'],
    cancel: (id) => actionsOf(world, wallet, id).act('cancel'),
  };
}
