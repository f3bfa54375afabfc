/** The part of `Storage` that keeps progress: `sessionStorage` has it. */
export interface KeyedStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** The part of `LockManager` that keeps two tabs apart. */
interface Locks {
  request(
    name: string,
    options: { readonly ifAvailable: true },
    callback: (lock: unknown) => Promise<void> | undefined,
  ): Promise<void>;
}

/** The globals of a browser that are used. Each may be missing: a server renders pages too. */
interface Page {
  readonly sessionStorage?: KeyedStorage;
  readonly location?: { readonly href: string };
  readonly document?: { readonly baseURI: string };
  readonly navigator?: { readonly locks?: Locks; readonly languages?: readonly string[] };
  addEventListener?(name: string, listener: (event: CustomEvent<(api: object) => void>) => void): void;
  dispatchEvent?(event: CustomEvent): void;
}

/** The browser, or a server that renders the page. */
export const page = globalThis as Page;

/** The address of the page; empty where there is none. */
export function pageAddress(): string {
  return page.location?.href ?? '';
}

/** The languages of the browser's person, the best first; none where there is no browser. */
export function pageLanguages(): readonly string[] {
  return page.navigator?.languages ?? [];
}

/** The folder of the page: the origin with its base path. */
export function pageFolder(): string {
  const address = page.document?.baseURI ?? pageAddress();
  return address === '' ? '' : new URL('.', address).href;
}

/** The storage of this tab. A browser that refuses it gives one that lasts as long as the page. */
export function tabStorage(): KeyedStorage {
  try {
    if (page.sessionStorage !== undefined) return page.sessionStorage;
  } catch {
    // Browsers throw where a person blocks the data of pages.
  }
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

/**
 * Takes a lock that one tab of the browser has at a time. Resolves to its release, or to null when another
 * tab has it. Without Web Locks every tab gets it, and the service alone keeps them apart.
 */
export async function lockTab(name: string): Promise<(() => void) | null> {
  const locks = page.navigator?.locks;
  if (locks === undefined) return () => undefined;
  return new Promise((resolve) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (lock === null) {
          resolve(null);
          return undefined;
        }
        return new Promise<void>((release) => resolve(() => release()));
      })
      // A browser that refuses locks has none.
      .catch(() => resolve(() => undefined));
  });
}
