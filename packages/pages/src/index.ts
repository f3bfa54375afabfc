/** The pages on which customers subscribe and manage what they pay for. */
export { createPages, type CreatePagesOptions } from './create-pages.js';
export { withPages, type PagesOptions } from './pages.js';
export type { DemoWallet } from './demo-wallet.js';
