import type { AttemptOutcome, MailKind, MailState } from '../contract/enums.js';
import type { ChargerView } from '../ports/index.js';

/** The counts and readings of this process since it began, for the metrics. */
export class Figures {
  readonly #attempts = new Map<string, Figures['attempts'][number]>();
  readonly #transfers = { landed: 0, failed: 0, lost: 0 };
  readonly #deliveries = { delivered: 0, retrying: 0, failed: 0 };
  readonly #mails = new Map<string, Figures['mails'][number]>();
  readonly #chainCalls = new Map<string, Figures['chainCalls'][number]>();
  #claimed = 0;
  #charger: Figures['charger'] = null;

  /** Attempts to charge, by outcome and reason. The reason is null exactly for `paid`. */
  get attempts(): readonly {
    readonly outcome: AttemptOutcome;
    readonly reason: string | null;
    readonly count: number;
  }[] {
    return [...this.#attempts.values()];
  }

  /** Transactions that moved money or were to, by their outcome. `lost`: sent, and never landed. */
  get transfers(): Readonly<Record<'landed' | 'failed' | 'lost', number>> {
    return { ...this.#transfers };
  }

  /** Attempts of webhooks, by their result. */
  get deliveries(): Readonly<Record<'delivered' | 'retrying' | 'failed', number>> {
    return { ...this.#deliveries };
  }

  /** Tries of mails, by kind and result. */
  get mails(): readonly {
    readonly kind: MailKind;
    readonly result: Exclude<MailState, 'pending'> | 'retrying';
    readonly count: number;
  }[] {
    return [...this.#mails.values()];
  }

  /** Calls of the chain port, by method. A call without an answer is a failure. */
  get chainCalls(): readonly {
    readonly method: string;
    readonly calls: number;
    readonly failures: number;
  }[] {
    return [...this.#chainCalls.values()];
  }

  /** How many subscriptions the charge pass is working on now. */
  get claimed(): number {
    return this.#claimed;
  }

  /** The charger as it was read last; null before the first read. */
  get charger(): (ChargerView & { readonly readAt: Date }) | null {
    return this.#charger;
  }

  countAttempt(outcome: AttemptOutcome, reason: string | null): void {
    const key = `${outcome} ${reason}`;
    this.#attempts.set(key, { outcome, reason, count: (this.#attempts.get(key)?.count ?? 0) + 1 });
  }

  countTransfer(state: keyof Figures['transfers']): void {
    this.#transfers[state] += 1;
  }

  countDeliveries(pass: Figures['deliveries']): void {
    this.#deliveries.delivered += pass.delivered;
    this.#deliveries.retrying += pass.retrying;
    this.#deliveries.failed += pass.failed;
  }

  countMail(kind: MailKind, result: Figures['mails'][number]['result']): void {
    const key = `${kind} ${result}`;
    this.#mails.set(key, { kind, result, count: (this.#mails.get(key)?.count ?? 0) + 1 });
  }

  countChainCall(method: string, failed: boolean): void {
    const { calls, failures } = this.#chainCalls.get(method) ?? { calls: 0, failures: 0 };
    this.#chainCalls.set(method, { method, calls: calls + 1, failures: failures + (failed ? 1 : 0) });
  }

  /** Counts claimed subscriptions; a negative number when the work on them is over. */
  addClaimed(subscriptions: number): void {
    this.#claimed += subscriptions;
  }

  setCharger(view: ChargerView, readAt: Date): void {
    this.#charger = { ...view, readAt };
  }
}
