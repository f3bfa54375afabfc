// The page that led to each next page of a list: a cursor leads on, and none leads back. The tab keeps them,
// so a reload has them too.

const nameOf = (address: string) => `subrail:page-before:${address}`;

/** Keeps which page leads to the next one. A browser that keeps nothing leads to the first one alone. */
export function keep(next: string, page: string): void {
  try {
    sessionStorage.setItem(nameOf(next), page);
  } catch {
    // Nothing is kept.
  }
}

/** The address of the page before one; null where this tab did not see it. */
export function of(page: string): string | null {
  try {
    return sessionStorage.getItem(nameOf(page));
  } catch {
    return null;
  }
}
