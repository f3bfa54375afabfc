import { SECOND, MINUTE } from '@subrail/test-world';
import { actInWords } from './acts.js';
import { checkLog } from './check-log.js';
import type { Explained } from './explanations.js';
import { createObserver, type Named, type Observation } from './observer.js';
import { openScenarioWorld } from './scenario-world.js';
import { settingsOf } from './settings.js';
import { momentOf, momentText, type Row, type Scenario } from './table.js';

/** A row while the scenario is played. */
interface Played extends Observation {
  readonly from: number;
  readonly to: number;
  readonly act: string;
}

/** A page counts tokens, the chain the millionth part of one. */
const UNIT = 1_000_000;

/** What happened in a scenario, and what the service says of each state. */
export interface Story {
  readonly rows: readonly Row[];
  readonly explained: readonly Explained[];
}

/**
 * Plays a scenario and returns the rows that its page should have, and the explanation of each state. Time
 * advances from one piece of the worker's work to the next. Each minute in which anything happened is a row.
 */
export async function play({ given, rows }: Scenario): Promise<Story> {
  const scenario = await openScenarioWorld(settingsOf(given));
  const { world, start } = scenario;
  const now = () => world.now().getTime() - start;
  const look = createObserver(scenario, start);
  const played: Played[] = [];
  const explained: Explained[] = [];

  /** Sends the mails that wait, looks at what is new, and has each new state explained. */
  async function observe(): Promise<Observation> {
    if (scenario.worker) await world.billing.worker.sendMails();
    const seen = await look();
    for (const { name } of seen.states) {
      const id = scenario.subscriptions.find((known) => known.name === name)?.id ?? '';
      const explanation = await world.billing.project(world.projectId).subscriptions.explain(id);
      explained.push({ moment: momentText(minuteOf(now())), name, explanation });
    }
    return seen;
  }

  /** Does the work that is due until an instant, each piece when it is due. */
  async function workUntil(until: number): Promise<void> {
    while (scenario.worker) {
      const wakeAt = await world.store.nextWakeAt();
      if (wakeAt === null || wakeAt.getTime() - start > until) return;
      const wait = wakeAt.getTime() - start - now();
      world.advance(Math.max(0, Math.ceil(wait / SECOND) * SECOND));
      const minute = minuteOf(now());
      await world.billing.worker.charge();
      addWork(played, minute, await observe());
    }
  }

  try {
    for (const { When, Act } of rows) {
      // A row without an act says what time alone does.
      if (Act === '') continue;
      const at = momentOf(When);
      await workUntil(at);
      world.advance(Math.max(0, at - now()));
      const words = Act.replace(/ → .*/, '');
      const answer = await actInWords(scenario, words);
      const act = answer === null ? words : `${words} → ${answer}`;
      played.push({ from: at, to: at, act, ...(await observe()) });
      await workUntil(now() + MINUTE / 2);
    }
    await workUntil(momentOf(rows.at(-1)?.When.split(' to ').at(-1) ?? '') + MINUTE - SECOND);
    await checkLog(scenario);
    const withNames = scenario.subscriptions.length > 1;
    return {
      rows: rowsOf(played, withNames),
      explained: explained.map((one) => ({ ...one, name: withNames ? one.name : null })),
    };
  } finally {
    await scenario.close();
  }
}

const minuteOf = (ms: number): number => Math.floor(ms / MINUTE) * MINUTE;

/** Adds the worker's work of a minute: to that minute's row, to a run of equal tries, or as a row. */
function addWork(played: Played[], minute: number, done: Observation): void {
  const last = played.at(-1);
  if (last === undefined) throw new Error('A scenario begins with an act.');
  if (sizeOf(done) === 0) return;
  if (last.to === minute && (last.act !== '' || last.from === last.to)) {
    played[played.length - 1] = { ...last, ...joined(last, done) };
    return;
  }
  const row: Played = { from: minute, to: minute, act: '', ...done };
  const tried = onlyTried(row);
  if (tried !== null && tried === onlyTried(last)) {
    played[played.length - 1] = { ...last, to: minute, attempts: [...last.attempts, ...done.attempts] };
  } else {
    played.push(row);
  }
}

/** How much happened. */
const sizeOf = ({ events, attempts, ledger, states, mails }: Observation): number =>
  events.length + attempts.length + ledger.size + states.length + mails.length;

function joined(one: Observation, next: Observation): Observation {
  const ledger = new Map(one.ledger);
  for (const [name, change] of next.ledger) ledger.set(name, (ledger.get(name) ?? 0n) + change);
  const replaced = new Set(next.states.map(({ name }) => name));
  return {
    events: [...one.events, ...next.events],
    attempts: [...one.attempts, ...next.attempts],
    ledger,
    states: [...one.states.filter(({ name }) => !replaced.has(name)), ...next.states],
    mails: [...one.mails, ...next.mails],
  };
}

/** The attempt that a row repeats, when it has nothing else; otherwise null. */
function onlyTried(row: Played): string | null {
  if (row.act !== '' || sizeOf(row) > row.attempts.length) return null;
  const [first, ...others] = row.attempts.map(({ name, text }) => `${name}: ${text}`);
  return first !== undefined && others.every((other) => other === first) ? first : null;
}

function rowsOf(played: readonly Played[], withNames: boolean): readonly Row[] {
  const textOf = ({ name, text }: Named) => (withNames ? `${name}: ${text}` : text);
  return played.map(({ from, to, act, events, attempts, ledger, states, mails }) => ({
    When: from === to ? momentText(from) : `${momentText(from)} to ${momentText(to)}`,
    Act: act,
    Events: events.map(textOf).join(', '),
    Attempts: counted(attempts.map(textOf)).join(', '),
    Ledger: [...ledger].map(([name, change]) => `${name} ${signed(change)}`).join(', '),
    State: states.map(textOf).join(', '),
    Mails: mails.map(textOf).join(', '),
  }));
}

/** Equal neighbours as one, with their number. */
function counted(texts: readonly string[]): readonly string[] {
  const runs: { text: string; count: number }[] = [];
  for (const text of texts) {
    const last = runs.at(-1);
    if (last?.text === text) last.count += 1;
    else runs.push({ text, count: 1 });
  }
  return runs.map(({ text, count }) => (count === 1 ? text : `${count} × ${text}`));
}

function signed(change: bigint): string {
  const tokens = Number(change) / UNIT;
  return tokens > 0 ? `+${tokens}` : String(tokens);
}
