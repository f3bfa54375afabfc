import fc from 'fast-check';
import { isSolanaError, type KeyPairSigner } from '@solana/kit';
import type { TierName } from '@subrail/core/schemas';
import {
  actionsOf,
  createCheckout,
  DAY,
  HOUR,
  PRICE,
  submitCheckout,
  type Action,
  type IssuedCheckout,
  type OutsideActions,
  type TestWorld,
} from '@subrail/test-world';

export const CUSTOMERS = ['customer-0', 'customer-1'] as const;

/** One thing that happens in a history. */
export type Act =
  | { readonly kind: 'time passes'; readonly ms: number }
  | {
      readonly kind: 'subscribes' | 'asks for a retry' | 'spends everything' | 'tops up';
      readonly by: number;
    }
  | { readonly kind: Action; readonly by: number }
  | { readonly kind: 'on chain'; readonly by: number; readonly what: OnChain }
  | { readonly kind: 'seats'; readonly limit: number | null }
  | { readonly kind: 'tier'; readonly tier: TierName };

/** What a wallet or the plan's owner does without the service. */
type OnChain = keyof Pick<
  OutsideActions,
  | 'cancel'
  | 'resume'
  | 'revokeApproval'
  | 'closeAuthority'
  | 'reopenAuthority'
  | 'removeCharger'
  | 'addCharger'
>;

const by = fc.nat(CUSTOMERS.length - 1);

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('time passes' as const),
      ms: fc.oneof(
        fc.integer({ min: 1, max: 48 }).map((hours) => hours * HOUR),
        fc.constantFrom(1, 1, 3, 10, 30, 30, 31).map((days) => days * DAY),
      ),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'subscribes',
        'asks for a retry',
        'spends everything',
        'spends everything',
        'tops up',
      ),
      by,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constantFrom<Action[]>('cancel', 'cancel', 'resume', 'close'), by }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('on chain' as const),
      by,
      what: fc.constantFrom<OnChain[]>(
        ...(['cancel', 'resume', 'revokeApproval', 'closeAuthority', 'reopenAuthority'] as const),
        ...(['removeCharger', 'addCharger'] as const),
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('seats' as const),
      limit: fc.constantFrom(1, null),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('tier' as const),
      tier: fc.constantFrom('free' as const, 'business' as const),
    }),
  },
);

/** The histories of two customers, who subscribe at their beginning. */
export const history: fc.Arbitrary<readonly Act[]> = fc.array(act, { minLength: 8, maxLength: 20 });

/** Does the acts of a history. What the service or the chain refuses changes nothing. */
export class Players {
  readonly #world: TestWorld;
  readonly #wallets: readonly KeyPairSigner[];
  /** Every subscription that was created, of each customer. */
  readonly ids: readonly Set<string>[] = CUSTOMERS.map(() => new Set());

  private constructor(world: TestWorld, wallets: readonly KeyPairSigner[]) {
    this.#world = world;
    this.#wallets = wallets;
  }

  static async join(world: TestWorld): Promise<Players> {
    const wallets: KeyPairSigner[] = [];
    while (wallets.length < CUSTOMERS.length) wallets.push(await world.wallet(2n * PRICE));
    return new Players(world, wallets);
  }

  async play(given: Act): Promise<void> {
    const world = this.#world;
    switch (given.kind) {
      case 'time passes':
        world.advance(given.ms);
        return;
      case 'seats':
        await world.inNewBlock(() =>
          world.billing.project(world.projectId).update({ subscriber_limit: given.limit }),
        );
        return;
      case 'tier':
        await world.inNewBlock(() => world.billing.project(world.projectId).update({ tier: given.tier }));
        return;
      case 'on chain': {
        const outside = await world.outside(this.#walletOf(given.by));
        await outside[given.what]().catch(ignoreRefusal);
        return;
      }
      case 'subscribes':
        return this.#subscribe(given.by);
      case 'tops up':
        return world.give(this.#walletOf(given.by), 2n * PRICE);
      case 'spends everything': {
        const held = await world.holding(this.#walletOf(given.by));
        return held === 0n ? undefined : world.take(this.#walletOf(given.by), held);
      }
      case 'asks for a retry':
        await world.call('POST', `/subscriptions/${this.#latestOf(given.by)}/retry`);
        return;
      case 'cancel':
      case 'resume':
      case 'close':
        return this.#act(given.by, given.kind);
    }
  }

  async #subscribe(customer: number): Promise<void> {
    const wallet = this.#walletOf(customer);
    const { status, body } = await createCheckout(this.#world, wallet, CUSTOMERS[customer]);
    if (status !== 201) return;
    const checkout = body as unknown as IssuedCheckout;
    this.ids[customer]?.add(checkout.subscription.id);
    await submitCheckout(this.#world, wallet, checkout);
  }

  async #act(customer: number, action: Action): Promise<void> {
    const { build, act } = actionsOf(this.#world, this.#walletOf(customer), this.#latestOf(customer));
    if ((await build(action)).status === 201) await act(action);
  }

  #walletOf(customer: number): KeyPairSigner {
    const wallet = this.#wallets[customer];
    if (wallet === undefined) throw new Error(`There is no customer ${customer}.`);
    return wallet;
  }

  #latestOf(customer: number): string {
    return [...(this.ids[customer] ?? [])].at(-1) ?? 'sub_none';
  }
}

/** The chain refuses what is not possible now, and builds nothing for an account that it does not have. */
function ignoreRefusal(cause: unknown): void {
  const hasNone = cause instanceof Error && cause.message.startsWith('The chain has no such');
  if (!isSolanaError(cause) && !hasNone) throw cause;
}
