/** The pages on which customers subscribe and manage what they pay for, and the dashboard of operators. */
export { createPages, type CreatePagesOptions } from './create-pages.js';
export { withDashboard, type DashboardOptions } from './dashboard/with-dashboard.js';
export { withPages, type PagesOptions } from './pages.js';
export type { DemoWallet } from './demo-wallet.js';
