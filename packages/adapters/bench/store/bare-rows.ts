import type {
  NewAttempt,
  Plan,
  Project,
  Subscription,
  SubscriptionEvent,
  Transfer,
} from '@subrail/core/ports';

/** The rows of the bench in as few Maps and arrays as what is measured needs, without the store in memory. */
export class BareRows {
  readonly subscriptions = new Map<string, Subscription>();
  readonly transfers = new Map<string, Transfer>();
  readonly attempts = new Map<string, NewAttempt>();
  /** In the order in which they were written. All are of one project. */
  readonly events: SubscriptionEvent[] = [];
  readonly #idsOfWallet = new Map<string, string[]>();
  /** The ids in the order in which they are due: a claim gives each a later date than any other has. */
  readonly #due: string[] = [];
  #claimed = 0;

  constructor(
    readonly project: Project,
    readonly plan: Plan,
  ) {}

  insert(subscription: Subscription, events: readonly SubscriptionEvent[]): void {
    const { id, wallet } = subscription;
    this.subscriptions.set(id, subscription);
    const ids = this.#idsOfWallet.get(wallet);
    if (ids === undefined) this.#idsOfWallet.set(wallet, [id]);
    else ids.push(id);
    this.#due.push(id);
    this.events.push(...events);
  }

  /** Copies of the subscriptions of a wallet, with their plan. */
  ofWallet(wallet: string) {
    return this.#idsOfWallet.get(wallet)?.map((id) => ({ subscription: this.#copyOf(id), plan: this.plan }));
  }

  /** Takes those that are due first, and writes them with their lease. */
  claim(limit: number, wakeAt: Date) {
    const ids = this.#due.slice(this.#claimed, this.#claimed + limit);
    this.#claimed += limit;
    this.#due.push(...ids);
    return ids.map((id) => {
      const row = this.#copyOf(id);
      const subscription = { ...row, wakeAt, version: row.version + 1 };
      this.subscriptions.set(id, subscription);
      return { subscription, plan: this.plan, project: this.project, transfer: null };
    });
  }

  #copyOf(id: string): Subscription {
    const row = this.subscriptions.get(id);
    if (row === undefined) throw new Error(`There is no subscription ${id}.`);
    return { ...row };
  }
}
