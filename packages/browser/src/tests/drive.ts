import { vi } from 'vitest';
import { type Checkout, createCheckout } from '../checkout.js';
import type { CheckoutState } from '../checkout-state.js';
import type { Machine } from '../machine.js';
import type { MachineOptions, WithSession } from '../options.js';
import type { KeyedStorage } from '../page.js';
import type { Way } from '../ways.js';
import { FakeService, SECRET } from './fake-service.js';
import { FakeWallet, walletsOf } from './fake-wallets.js';

/** A storage in memory, as that of a tab. */
export function storageOf(): KeyedStorage & { readonly values: Map<string, string> } {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

/** A page with one wallet over a service, on which checkouts are opened. */
export function world(wallet = new FakeWallet()) {
  const service = new FakeService();
  const wallets = walletsOf(wallet);
  const storage = storageOf();
  const options: MachineOptions & WithSession = {
    session: SECRET,
    service: 'https://pay.test/base/',
    fetch: service.fetch,
    storage,
    wallets: wallets.source,
    page: 'https://pay.test/checkout#chs_1',
  };
  return {
    service,
    wallet,
    wallets,
    storage,
    options,
    open: (more: MachineOptions & { readonly plan?: string | undefined; readonly replaces?: string } = {}) =>
      createCheckout({ ...options, ...more }),
  };
}

/** Moves time until a state has one of the names, and returns it. */
export async function until<State extends { readonly name: string }, Name extends State['name']>(
  machine: Machine<State>,
  ...names: readonly Name[]
): Promise<Extract<State, { name: Name }>> {
  for (let step = 0; step < 4_000; step += 1) {
    if ((names as readonly string[]).includes(machine.state.name))
      return machine.state as Extract<State, { name: Name }>;
    await vi.advanceTimersByTimeAsync(100);
  }
  throw new Error(`No state ${names.join(' or ')}, but ${JSON.stringify(machine.state)}.`);
}

/** Moves time until a condition holds. */
export async function untilTrue(holds: () => boolean): Promise<void> {
  for (let step = 0; step < 4_000 && !holds(); step += 1) await vi.advanceTimersByTimeAsync(100);
  if (!holds()) throw new Error('It never came to be.');
}

/** Connects the first wallet and waits for the review, or for what keeps it from being shown. */
export async function reviewOf(
  checkout: Checkout,
): Promise<Extract<CheckoutState, { name: 'review' | 'failed' | 'choosing_wallet' }>> {
  // A wallet that gave its accounts before is connected again without a click.
  const choosing = await until(checkout, 'choosing_wallet', 'review');
  if (choosing.name === 'review') return choosing;
  const [first] = choosing.wallets;
  if (first !== undefined) choosing.connect(first);
  return until(checkout, 'review', 'failed', 'choosing_wallet');
}

/** Does what a way of the page does. */
export function goBy(way: Way | null): void {
  if (typeof way !== 'function') throw new Error(`No function, but ${way}.`);
  way();
}

/** Connects and pays. */
export async function pay(checkout: Checkout, email?: string) {
  const review = await reviewOf(checkout);
  if (review.name !== 'review' || !review.payable) throw new Error(`Not payable: ${JSON.stringify(review)}`);
  review.pay(email);
}

/** A customer who does at each state what a page offers first, until the end or until `isOver`. */
export async function follow(
  checkout: Checkout,
  isOver: () => boolean = () => false,
): Promise<CheckoutState> {
  for (let step = 0; step < 400; step += 1) {
    const { state } = checkout;
    if (isOver() || state.name === 'complete') return state;
    if (state.name === 'choosing_wallet') {
      const usable = state.wallets.find(({ problem }) => problem === null);
      if (usable !== undefined) state.connect(usable);
    } else if (state.name === 'review') {
      if (state.payable) state.pay();
      else state.act();
    } else if (state.name === 'signing_terms' || state.name === 'signing_payment') {
      if (state.step === 'refused') state.act();
    } else if (state.name === 'failed') {
      if (typeof state.act !== 'function') return state;
      state.act();
    }
    await vi.advanceTimersByTimeAsync(1_000);
  }
  return checkout.state;
}
