/**
 * The checkout and the portal of a page in a browser, without a look: machines whose states say what to show,
 * and have the actions that are allowed then. They bring no framework, and run wherever `fetch` does.
 */

export { createCheckout } from './checkout.js';
export type { Checkout } from './checkout.js';
export type { CheckoutState, OfferedPlan, PlanOption } from './checkout-state.js';
export type { ConnectedWallet } from './connection.js';
export { walletLinks } from './deep-links.js';
export type { WalletLink } from './deep-links.js';
export { formatsOf, shortened } from './formats.js';
export type { CheckoutOptions, PortalOptions } from './options.js';
export { createPortal } from './portal.js';
export type { Portal } from './portal.js';
export type { PortalAction, PortalState } from './portal-state.js';
export type { Missing, Problem } from './problem.js';
export { ENGLISH } from './sentences.js';
export type { Language, NextStep, ProblemCode } from './sentences.js';
export type { TermsChange } from './terms.js';
export type { WalletOption } from './wallet-choice.js';
export type { Way } from './ways.js';
export type { CostsWire, CustomerSession, CustomerSubscription, SubscriptionWire } from './wire-types.js';
