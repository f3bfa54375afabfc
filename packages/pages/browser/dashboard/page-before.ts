// The page that led to each next page of a list: a cursor leads on, and none leads back. The tab keeps them,
// so a reload has them too, until the next log-in or log-out: an address may name a customer.

const PREFIX = 'subrail:page-before:';

/** Keeps which page leads to the next one. A browser that keeps nothing leads to the first one alone. */
export function keep(next: string, page: string): void {
  try {
    sessionStorage.setItem(PREFIX + next, page);
  } catch {
    // Nothing is kept.
  }
}

/** The address of the page before one; null where this tab did not see it. */
export function of(page: string): string | null {
  try {
    const kept = sessionStorage.getItem(PREFIX + page);
    return kept?.startsWith('#/') === true ? kept : null;
  } catch {
    return null;
  }
}

/** Forgets all pages. */
export function forget(): void {
  try {
    for (const name of Object.keys(sessionStorage))
      if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  } catch {
    // Nothing is kept.
  }
}
