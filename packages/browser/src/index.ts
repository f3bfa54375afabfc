/**
 * The checkout and the portal of a page in a browser, without a look: machines whose states say what to show,
 * and have the actions that are allowed then. They bring no framework, and run wherever `fetch` does.
 */

export { createCheckout } from './checkout.js';
export type { Checkout } from './checkout.js';
export type { CheckoutState } from './checkout-state.js';
export { walletLinks } from './deep-links.js';
export type { CheckoutOptions, PortalOptions } from './options.js';
export { createPortal } from './portal.js';
export type { Portal } from './portal.js';
export type { PortalState } from './portal-state.js';
export type { Problem } from './problem.js';
export { ENGLISH } from './sentences.js';
export type { Language } from './sentences.js';
