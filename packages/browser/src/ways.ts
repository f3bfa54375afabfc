import type { CustomerSession } from '@subrail/core/schemas';
import { pageFolder } from './page.js';
import type { Problem } from './problem.js';
import type { Language } from './sentences.js';

/** A way to somewhere: an address, or a function that does it on this page. */
export type Way = string | (() => void);

/** The places of an app to which problems lead. Each may be read again later. */
export interface Places {
  /** The app's log-in, to which whoever is not logged in is led; without it the page looks again who is. */
  readonly login?: Way | undefined;
  /** The place where the app shows what its customer is subscribed to. */
  readonly portal?: Way | undefined;
}

/** The fields of a state that says what went wrong. Some states have none of them. */
export interface Troubled {
  readonly name: string;
  readonly session?: CustomerSession | null;
  readonly problem?: Problem | null;
  readonly act?: Way | null;
}

/** The parts of a machine that know where its problems lead. */
export interface Guide {
  readonly options: Places;
  /** The sentences of the machine, at the moment. */
  readonly setting: { readonly language: Language };
  readonly isPortal: boolean;
  /** Begins anew, for a customer who has logged in meanwhile. */
  readonly load: () => void;
}

/**
 * Gives a state the way of its problem, where that is no function of the machine, and the words for it. Both
 * are read when they are asked for: a page may say later where its log-in and its portal are. A function is
 * made with `only`, as every action of a state.
 */
export function lead<State extends Troubled>(
  state: State,
  guide: Guide,
  only: (action: () => void) => () => void,
): State {
  const { problem, act, session } = state;
  if (problem == null || act !== null) return state;
  const way = () => wayOf(problem, session ?? null, guide);
  const label = () => way()?.label ?? guide.setting.language.steps[problem.next];
  // The same problem stays the same object, by which a page knows that it is not another one.
  Object.defineProperty(problem, 'label', { get: label, enumerable: true, configurable: true });
  const place = () => way()?.to ?? null;
  // A page may compare what it is given, so there is one function.
  const go = only(() => {
    const there = place();
    if (typeof there === 'function') there();
  });
  const to = (): Way | null => {
    const there = place();
    return typeof there === 'function' ? go : there;
  };
  return Object.defineProperty(state, 'act', { get: to, enumerable: true });
}

/** The way of a step that leads elsewhere, and the words for it; null where none is known. */
function wayOf(
  { next }: Problem,
  session: CustomerSession | null,
  { options, setting, isPortal, load }: Guide,
): { readonly to: Way; readonly label: string } | null {
  const { steps, backTo } = setting.language;
  if (next === 'log_in') {
    const to = checked(options.login) ?? load;
    return { to, label: typeof to === 'string' ? steps.log_in : steps.check_again };
  }
  const portal = checked(options.portal);
  const shown = portal === null ? null : { to: portal, label: steps.open_portal };
  const url = session?.back_url;
  const back = url == null ? null : { to: url, label: backTo(session?.project.name ?? '') };
  if (next === 'open_portal') return isPortal ? null : (shown ?? back);
  // A portal whose time is over may come from a letter, to which nobody can go back.
  return next === 'go_back' ? ((isPortal ? shown : null) ?? back) : null;
}

/** A way of the page, but for an address that is none or runs a script. */
function checked(way: Way | undefined): Way | null {
  if (typeof way === 'function') return way;
  try {
    const { protocol } = new URL(way ?? '', pageFolder() || 'https://page.invalid');
    return way === undefined || protocol === 'javascript:' ? null : way;
  } catch {
    return null;
  }
}
