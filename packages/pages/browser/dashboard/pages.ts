import type { Page } from './context.js';
import { customersPage } from './customers.js';
import { deliveryPage } from './delivery.js';
import { healthPage } from './health.js';
import { homePage } from './home.js';
import { keysPage } from './keys.js';
import { mailPage, mailsPage, previewPage } from './mail.js';
import { paymentsPage } from './payments.js';
import { planPage } from './plan.js';
import { plansPage } from './plans.js';
import { projectPage } from './project.js';
import { receiptPage } from './receipt.js';
import { subscriptionPage } from './subscription.js';
import { endpointPage, endpointsPage } from './webhooks.js';
import { words } from './words.js';

/** A page by the name that the address has, and its entry of the navigation. */
interface Entry {
  readonly nav: keyof typeof words.pages;
  readonly open: Page;
}

export const FIRST_PAGE = 'home';

const customers: Page = (context) => {
  const [id] = context.place.rest;
  return id === undefined ? customersPage(context) : subscriptionPage(context, id);
};

const webhooks: Page = (context) => {
  const [id, delivery = ''] = context.place.rest;
  if (id === undefined) return endpointsPage(context);
  return id === 'delivery' ? deliveryPage(context, delivery) : endpointPage(context, id);
};

const mail: Page = (context) => {
  const [id, kind = ''] = context.place.rest;
  if (id === undefined) return mailsPage(context);
  return id === 'preview' ? previewPage(context, kind) : mailPage(context, id);
};

const plans: Page = (context) => {
  const [slug] = context.place.rest;
  return slug === undefined ? plansPage(context) : planPage(context, slug);
};

const payments: Page = (context) => {
  const [attempt] = context.place.rest;
  return attempt === undefined ? paymentsPage(context) : receiptPage(context, attempt);
};

/** The pages of a project by the name that an address has, each with what is below it. */
export const PAGES: Readonly<Record<string, Entry>> = {
  home: { nav: 'home', open: homePage },
  customers: { nav: 'customers', open: customers },
  payments: { nav: 'payments', open: payments },
  plans: { nav: 'plans', open: plans },
  webhooks: { nav: 'webhooks', open: webhooks },
  mail: { nav: 'mail', open: mail },
  keys: { nav: 'keys', open: keysPage },
  project: { nav: 'project', open: projectPage },
  health: { nav: 'health', open: healthPage },
};

/** The entries of the navigation. */
export const NAVIGATION = (Object.keys(words.pages) as (keyof typeof words.pages)[]).filter(
  (name) => PAGES[name] !== undefined,
);
