import type { Page } from './context.js';
import { customersPage } from './customers.js';
import { homePage } from './home.js';
import { words } from './words.js';

/** A page by the name that the address has, and its entry of the navigation. */
interface Entry {
  readonly nav: keyof typeof words.pages;
  readonly open: Page;
}

export const FIRST_PAGE = 'home';

/** The pages of a project. A page that is no entry of `words.pages` stands below another. */
export const PAGES: Readonly<Record<string, Entry>> = {
  home: { nav: 'home', open: homePage },
  customers: { nav: 'customers', open: customersPage },
};

/** The entries of the navigation. */
export const NAVIGATION = (Object.keys(words.pages) as (keyof typeof words.pages)[]).filter(
  (name) => PAGES[name] !== undefined,
);
