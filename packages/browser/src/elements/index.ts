/**
 * The checkout and the portal of a page as custom elements, `<subrail-checkout>` and `<subrail-portal>`, for
 * any framework. Importing this module defines both.
 */

import { SubrailCheckout } from './checkout-element.js';
import { SubrailPortal } from './portal-element.js';

export { SubrailCheckout, SubrailPortal };
export { GERMAN } from './german.js';
export { ENGLISH_ELEMENTS } from './languages.js';
export type { ElementLanguage } from './words.js';

const ELEMENTS = { 'subrail-checkout': SubrailCheckout, 'subrail-portal': SubrailPortal };

for (const [name, element] of Object.entries(ELEMENTS))
  // Two copies of the module on a page share the elements of the first.
  if (customElements.get(name) === undefined) customElements.define(name, element);

declare global {
  interface HTMLElementTagNameMap {
    'subrail-checkout': SubrailCheckout;
    'subrail-portal': SubrailPortal;
  }
}
