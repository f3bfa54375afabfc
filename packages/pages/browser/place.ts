import type { SubrailCheckout, SubrailPortal } from '@subrail/browser/elements';

/** The address of the service, with a slash at its end. */
export const SERVICE = new URL(`${document.body.dataset['service'] ?? '.'}/`, location.href).href.replace(
  /[?#].*$/,
  '',
);

/** The secret of a session from behind the `#` of the page's address; empty without one. */
export function secretOfPage(): string {
  return location.hash.slice(1);
}

/** Gives the page the title of what its element shows. */
export function titleBy(element: SubrailCheckout | SubrailPortal): void {
  element.addEventListener('subrail-state', () => {
    document.title = element.pageTitle ?? document.title;
  });
}

// Another session in the same tab, such as one that a person pastes, is another page.
addEventListener('hashchange', () => location.reload());
