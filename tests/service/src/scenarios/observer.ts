import type { AttemptWire } from '@subrail/core/schemas';
import type { SubscriptionEvent } from '@subrail/core/ports';
import { MINUTE } from '@subrail/test-world';

import type { ScenarioWorld } from './scenario-world.js';
import { momentText } from './table.js';

/** Something of one subscription; the name is left out of the table while it is the only one. */
export interface Named {
  readonly name: string;
  readonly text: string;
}

/** What happened since the last look. */
export interface Observation {
  readonly events: readonly Named[];
  readonly attempts: readonly Named[];
  /** By how much each holding changed, in the smallest unit; those that did not change are left out. */
  readonly ledger: ReadonlyMap<string, bigint>;
  /** The states that changed. */
  readonly states: readonly Named[];
  /** The mails that the mail server got, by their kinds. */
  readonly mails: readonly Named[];
}

type Body = Record<string, unknown>;

/**
 * Looks at the service's answers and the holdings on chain for what is new since the last look. It looks a
 * thousand times, so it calls the handler without a socket; the acts go over one.
 */
export function createObserver(scenario: ScenarioWorld, start: number): () => Promise<Observation> {
  const { subscriptions } = scenario;
  const { call } = scenario.world;
  const seenEvents = new Set<unknown>();
  const seenAttempts = new Set<unknown>();
  const states = new Map<string, string>();
  const nameOf = (id: string): string => {
    const found = subscriptions.find((known) => known.id === id);
    if (found === undefined) throw new Error(`No act of the scenario created ${id}.`);
    return found.name;
  };

  function fresh<T extends { readonly id?: unknown }>(all: readonly T[], seen: Set<unknown>): readonly T[] {
    const found = all.filter(({ id }) => !seen.has(id));
    for (const { id } of found) seen.add(id);
    return found;
  }

  async function attemptsOf(id: string): Promise<readonly Body[]> {
    const { body } = await call('GET', `/subscriptions/${id}/attempts?limit=100`);
    return fresh(body['data'] as Body[], seenAttempts).toReversed();
  }

  async function stateOf(id: string): Promise<string> {
    return stateText((await call('GET', `/subscriptions/${id}`)).body, start);
  }

  return async () => {
    // The list over HTTP leaves out what is dated more than 30 days ago.
    const events = fresh(await scenario.world.storedEvents(), seenEvents).map((event) => ({
      name: nameOf(event.subscriptionId),
      text: eventText(event, start, scenario.world.now().getTime()),
    }));
    const attempts: Named[] = [];
    const changed: Named[] = [];
    for (const { id, name } of subscriptions) {
      attempts.push(...(await attemptsOf(id)).map((attempt) => ({ name, text: attemptText(attempt) })));
      const text = await stateOf(id);
      if (states.get(id) !== text) changed.push({ name, text });
      states.set(id, text);
    }
    const ledger = new Map<string, bigint>();
    for (const [person, holding] of scenario.readHoldings()) {
      const before = scenario.holdings.get(person) ?? 0n;
      if (holding !== before) ledger.set(person, holding - before);
      scenario.holdings.set(person, holding);
    }
    // Mails are sent side by side.
    const mails = (await scenario.takeMails())
      .map(({ subscriptionId, kind }) => ({ name: nameOf(subscriptionId), text: kind }))
      .toSorted((one, other) => one.text.localeCompare(other.text));
    // What one commit does to several subscriptions has no order between them.
    const inOrder = (all: readonly Named[]) =>
      subscriptions.flatMap((known) => all.filter(({ name }) => name === known.name));
    return { events: inOrder(events), attempts, ledger, states: changed, mails: inOrder(mails) };
  };
}

/** The type of an event; of a renewal notice also what the wallet has to mend, of a late event its date. */
function eventText({ type, detail }: SubscriptionEvent, start: number, now: number): string {
  const name = type.replace('subscription.', '');
  const { renewal_issue: issue, changed_at: changedAt } = detail as Partial<Record<string, unknown>>;
  const date = typeof changedAt === 'string' ? Date.parse(changedAt) : now;
  const isLate = now - date >= MINUTE;
  return [
    name,
    ...(typeof issue === 'string' ? [`(${issue})`] : []),
    ...(isLate ? [`of ${momentText(date - start)}`] : []),
  ].join(' ');
}

function attemptText(attempt: Body): string {
  const { outcome, reason, retry, ...tried } = attempt as unknown as AttemptWire;
  const what = reason === null ? outcome : `${outcome} ${reason}`;
  if (!retry) return what;
  return tried.retry_number === null
    ? `${what} (retry by hand)`
    : `${what} (retry ${tried.retry_number} of ${tried.retries_allowed})`;
}

/** The state in short: the status with its reason, whether parked or blocked, and the end of access. */
function stateText(body: Body, start: number): string {
  const { status, end_reason: ended, stop_reason: stopped, late_reason: late, access_until: until } = body;
  const reason = status === 'stopped' ? stopped : (ended ?? late);
  const blocked = body['blocked_reason'];
  return [
    typeof reason === 'string' ? `${String(status)} (${reason})` : String(status),
    ...(body['paused'] === true ? ['parked'] : []),
    ...(typeof blocked === 'string' ? [`blocked by ${blocked}`] : []),
    ...(typeof until === 'string' ? [`access to ${momentText(Date.parse(until) - start)}`] : []),
  ].join('; ');
}
