// The attributes and events of the elements, for the JSX of React.

import type { SubrailCheckout, SubrailPortal } from '@subrail/browser/elements';
import type { HTMLAttributes, Ref } from 'react';

type ElementProps<Element> = Partial<Omit<Element, keyof HTMLElement>> &
  HTMLAttributes<Element> & {
    ref?: Ref<Element>;
    'onsubrail-complete'?: (event: CustomEvent) => void;
    'onsubrail-problem'?: (event: CustomEvent) => void;
  };

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'subrail-checkout': ElementProps<SubrailCheckout>;
      'subrail-portal': ElementProps<SubrailPortal>;
    }
  }
}
