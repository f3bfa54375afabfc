// The dashboard: `/dashboard#/<project>/<page>`, for whoever has a management key.

import type { ManagedProject, ProjectWire } from '@subrail/core/schemas';
import { render } from 'lit';
import { CallError, get, logIn, logOut, readSession, routesOf, watchActions, type Session } from './api.js';
import type { Context, Shown } from './context.js';
import { failureText } from './failure.js';
import { FIRST_PAGE, PAGES } from './pages.js';
import { hashOf, placeOf } from './place.js';
import { logInView } from './log-in-view.js';
import { wear } from './look.js';
import * as pageBefore from './page-before.js';
import { unknownProject } from './unknown-project.js';
import { frameView, type Frame } from './frame-view.js';
import { words } from './words.js';

const root = document.querySelector<HTMLElement>('#dashboard');

/** The log-in is renewed at most this often. */
const RENEW_AFTER_MS = 600_000;

let session: Session | null = null;
let renewedAt = 0;
let projects: readonly ProjectWire[] = [];
let gate: { sentence: string | null; problem: string | null; isBusy: boolean } | null = null;
let frame: Omit<Frame, 'session' | 'projects'> = {
  place: placeOf(''),
  shown: null,
  failure: null,
  notice: null,
  reading: null,
  isWorking: false,
};
/** Whether an action runs. It may wait for the person, and then nothing is worked on. */
let isActing = false;
/** Raised by every visit, so that what an earlier one reads is not shown. */
let visit = 0;

function draw(): void {
  if (root === null) return;
  if (gate !== null)
    render(
      logInView(gate, (key) => void enter({ key })),
      root,
    );
  else if (session !== null)
    render(
      frameView({ ...frame, session, projects }, { leave: () => void leave(), again: () => void read() }),
      root,
    );
  const title = gate === null ? (frame.shown?.title ?? words.name) : words.logIn.title;
  document.title = `${title} · ${words.name}`;
}

/** Shows the log-in, with why. */
function close(sentence: string | null, problem: string | null = null): void {
  pageBefore.forget();
  session = null;
  visit += 1;
  frame = { ...frame, shown: null, failure: null, notice: null, reading: null, isWorking: false };
  isActing = false;
  gate = { sentence, problem, isBusy: false };
  draw();
  root?.querySelector<HTMLElement>('#key')?.focus();
}

/** What a refusal means for the log-in; false when it is of something else. */
function endsLogIn(error: unknown): boolean {
  if (!(error instanceof CallError)) return false;
  if (error.code === 'missing_api_key') close(words.logIn.over);
  else if (error.code === 'invalid_api_key') close(words.logIn.revoked);
  else return false;
  return true;
}

async function enter(proof: { readonly key: string } | { readonly ticket: string }): Promise<void> {
  gate = { sentence: gate?.sentence ?? null, problem: null, isBusy: true };
  pageBefore.forget();
  draw();
  try {
    await begin(await logIn(proof));
  } catch (error) {
    const isUnknown =
      'key' in proof &&
      error instanceof CallError &&
      ['invalid_api_key', 'missing_api_key'].includes(error.code);
    close(null, isUnknown ? words.logIn.unknown : failureText(error));
  }
}

async function begin(found: Session): Promise<void> {
  renewedAt = performance.now();
  projects = await get<readonly ProjectWire[]>('projects');
  session = found;
  gate = null;
  await visitPlace();
}

async function leave(): Promise<void> {
  await logOut().catch(() => undefined);
  close(words.logIn.done);
}

async function renew(): Promise<void> {
  if (performance.now() - renewedAt < RENEW_AFTER_MS) return;
  renewedAt = performance.now();
  session = await readSession();
}

/** Goes where the address says, or to the first project. */
async function visitPlace(): Promise<void> {
  if (session === null) return;
  const place = placeOf(location.hash);
  const [first] = projects;
  if (place.project === null || PAGES[place.page] === undefined) {
    const project = place.project ?? first?.id;
    const isKnown = place.project === null || place.page === '';
    if (project !== undefined && isKnown) {
      history.replaceState(null, '', hashOf(project, FIRST_PAGE));
      return visitPlace();
    }
  }
  const isElsewhere = place.page !== frame.place.page || place.rest.join() !== frame.place.rest.join();
  frame = { ...frame, place, notice: null, ...(isElsewhere ? { shown: null } : {}) };
  await read();
  // A log-out or another visit meanwhile has put the focus elsewhere.
  if (isElsewhere && gate === null && frame.place === place)
    document.querySelector<HTMLElement>('h1')?.focus();
}

/** Reads the page of the place. What was shown of it stays meanwhile. */
async function read(): Promise<void> {
  const { place } = frame;
  const page = PAGES[place.page];
  const own = (visit += 1);
  if (session === null) return;
  if (page === undefined || place.project === null) {
    frame = { ...frame, shown: null, reading: null, failure: projects.length === 0 ? null : words.noPage };
    draw();
    return;
  }
  frame = { ...frame, failure: null, reading: words.reading(words.pages[page.nav]) };
  draw();
  try {
    await renew();
    const isListed = () => projects.some(({ id }) => id === place.project);
    // It may have been made since the log-in.
    if (!isListed()) projects = await get<readonly ProjectWire[]>('projects');
    if (!isListed()) {
      if (own !== visit) return;
      wear(null);
      frame = { ...frame, shown: unknownProject(place.project, projects), reading: null };
      draw();
      return;
    }
    const routes = routesOf(place.project);
    const [project, look] = await Promise.all([
      get<ManagedProject>(`projects/${place.project}`),
      routes.get<{ readonly accent: string | null }>('look').catch(() => null),
    ]);
    const context: Context = {
      session,
      mayAct: session.access === 'write',
      project,
      place,
      routes,
      act,
    };
    const shown: Shown = await page.open(context);
    if (own !== visit) return;
    wear(look?.accent ?? null);
    frame = { ...frame, shown, reading: null };
  } catch (error) {
    if (own !== visit || endsLogIn(error)) return;
    frame = { ...frame, reading: null, failure: failureText(error) };
  }
  draw();
}

/** Runs an action of the page, and reads the page again. */
function act(action: () => Promise<string | null>): void {
  if (isActing) return;
  isActing = true;
  frame = { ...frame, notice: null };
  draw();
  void (async () => {
    try {
      const sentence = await action();
      frame = { ...frame, notice: sentence === null ? null : { isGood: true, sentence } };
    } catch (error) {
      if (endsLogIn(error)) return;
      frame = { ...frame, notice: { isGood: false, sentence: failureText(error) } };
    }
    isActing = false;
    frame = { ...frame, isWorking: false };
    await read();
  })();
}

async function start(): Promise<void> {
  const [, ticket] = /^#ticket=(.+)$/.exec(location.hash) ?? [];
  if (ticket !== undefined) {
    history.replaceState(null, '', '#');
    return enter({ ticket });
  }
  try {
    await begin(await readSession());
  } catch (error) {
    // Of a first visit nothing is over.
    if (error instanceof CallError && error.code === 'missing_api_key') close(null);
    else if (!endsLogIn(error)) close(failureText(error));
  }
}

watchActions((count) => {
  if (!isActing) return;
  frame = { ...frame, isWorking: count > 0 };
  draw();
});
// The charts are as wide as there is room.
addEventListener('resize', draw);
addEventListener('hashchange', () => void visitPlace());
void start();
