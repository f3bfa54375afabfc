'use client';

import { createElement, type CSSProperties, type FunctionComponent, useEffect, useRef } from 'react';
import '@subrail/browser/elements';
import type { CheckoutState } from '../checkout-state.js';
import type { PortalState } from '../portal-state.js';
import type { WithChain, WithLink, WithSession, WithUrl } from '../options.js';
import type { Problem } from '../problem.js';
import type { SubrailCheckout } from './checkout-element.js';
import type { Locale } from './languages.js';
import type { SubrailPortal } from './portal-element.js';

type Paid = Extract<CheckoutState, { readonly name: 'complete' }>;

/** The properties of a component besides those of its element. */
interface Common<State> {
  /** The language; that of the session, then of the browser when absent. `language` takes any other one. */
  readonly locale?: Locale | null | undefined;
  readonly id?: string;
  readonly className?: string;
  readonly style?: CSSProperties;
  /** Is called with each state; in a portal also with those of a checkout in it. */
  readonly onState?: (detail: { readonly state: State }) => void;
  /** Is called with each problem that the customer is shown. */
  readonly onProblem?: (detail: { readonly problem: Problem }) => void;
  /** Is called when the customer has paid. No server may take it for a proof. */
  readonly onComplete?: (detail: {
    readonly subscription: Paid['subscription'];
    readonly success_url: Paid['continueTo'];
  }) => void;
}

/** The properties that a component takes from its element as they are. */
type Taken = 'brand' | 'chain' | 'language' | 'level' | 'login' | 'portal' | 'service';

interface CheckoutProps
  extends Common<CheckoutState>, Partial<Pick<SubrailCheckout, Taken | 'follow' | 'plan'>> {}

interface PortalProps
  extends Common<PortalState | CheckoutState>, Partial<Pick<SubrailPortal, Taken | 'receipt'>> {}

/**
 * The properties of `EmbeddedCheckout`: those of `<subrail-checkout>` with exactly one of `session`, `link`
 * and `url`, and a function for each event.
 */
export type EmbeddedCheckoutProps = CheckoutProps & (WithSession | WithLink | WithUrl);

/**
 * The properties of `EmbeddedPortal`: those of `<subrail-portal>` with exactly one of `session`, `link`,
 * `url` and `chain`, and a function for each event. Beside one of the others `chain` may be said too.
 */
export type EmbeddedPortalProps = PortalProps & (WithSession | WithLink | WithUrl | WithChain);

/**
 * The element `<subrail-checkout>` as a component of React 18 and newer, on a page from a server too.
 *
 * @example
 * import { createElement } from 'react';
 *
 * const page = createElement(EmbeddedCheckout, { url: '/api/billing', onComplete: greet });
 */
// The parts of the union are named by the errors of a compiler, which their alias would hide.
export const EmbeddedCheckout: FunctionComponent<CheckoutProps & (WithSession | WithLink | WithUrl)> =
  componentOf('subrail-checkout');

/**
 * The element `<subrail-portal>` as a component of React 18 and newer, on a page from a server too.
 *
 * @example
 * import { createElement } from 'react';
 *
 * const page = createElement(EmbeddedPortal, { url: '/api/billing' });
 */
export const EmbeddedPortal: FunctionComponent<PortalProps & (WithSession | WithLink | WithUrl | WithChain)> =
  componentOf('subrail-portal');

/**
 * Makes the component of an element. React gives an element that a server rendered neither its listeners nor
 * its properties (react/react#35446), so the component does. An element begins when it gets what opens it,
 * which is after the listeners: none misses what it tells.
 */
function componentOf<State>(tag: string): FunctionComponent<Common<State>> {
  return function Embedded({ id, className, style, onState, onProblem, onComplete, ...properties }) {
    const element = useRef<HTMLElement>(null);
    useEffect(() => {
      const { current } = element;
      if (current === null) return;
      const listening = new AbortController();
      const listeners = {
        'subrail-state': onState,
        'subrail-problem': onProblem,
        'subrail-complete': onComplete,
      };
      for (const [event, listener] of Object.entries(listeners))
        current.addEventListener(event, (told) => listener?.((told as CustomEvent<never>).detail), listening);
      for (const [name, value] of Object.entries(properties))
        if (value !== undefined) Reflect.set(current, name, value);
      return () => listening.abort();
    });
    // React 18 takes the name of a class for an attribute of its own.
    return createElement(tag, { ref: element, id, class: className, style });
  };
}
