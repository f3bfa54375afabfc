'use client';

import { createElement, type CSSProperties, type FunctionComponent, useEffect, useRef } from 'react';
import '@subrail/browser/elements';
import type { LitElement } from 'lit';
import type { CheckoutState } from '../checkout-state.js';
import type { PortalState } from '../portal-state.js';
import type { Problem } from '../problem.js';
import type { SubrailCheckout } from './checkout-element.js';
import type { SubrailPortal } from './portal-element.js';

type Paid = Extract<CheckoutState, { readonly name: 'complete' }>;

/** The properties of a component besides those of its element. */
interface Common<State> {
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

type Props<Element extends LitElement, State> = Common<State> &
  Partial<Omit<Element, keyof LitElement | 'leave' | 'machine' | 'pageTitle' | 'restart' | 'state'>>;

/** The properties of `EmbeddedCheckout`: those of `<subrail-checkout>`, and a function for each event. */
export type EmbeddedCheckoutProps = Props<SubrailCheckout, CheckoutState>;

/** The properties of `EmbeddedPortal`: those of `<subrail-portal>`, and a function for each event. */
export type EmbeddedPortalProps = Props<SubrailPortal, PortalState | CheckoutState>;

/**
 * The element `<subrail-checkout>` as a component of React 18 and newer, on a page from a server too.
 *
 * @example
 * import { createElement } from 'react';
 *
 * const page = createElement(EmbeddedCheckout, { url: '/api/billing', onComplete: greet });
 */
export const EmbeddedCheckout: FunctionComponent<EmbeddedCheckoutProps> = componentOf('subrail-checkout');

/**
 * The element `<subrail-portal>` as a component of React 18 and newer, on a page from a server too.
 *
 * @example
 * import { createElement } from 'react';
 *
 * const page = createElement(EmbeddedPortal, { url: '/api/billing' });
 */
export const EmbeddedPortal: FunctionComponent<EmbeddedPortalProps> = componentOf('subrail-portal');

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
