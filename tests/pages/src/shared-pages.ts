import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { openPageWorld, type OpenPage, type PageWorld, type PageWorldOptions } from './page-world.js';

/** The pages that the tests of a file share. */
export interface SharedPages extends Omit<PageWorld, 'close'> {
  /** Opens a page that stays open for the tests of the file, each of which looks at its faults. */
  openForAll: PageWorld['open'];
  /** Closes what the test has opened so far, as it is closed after the test. */
  closeOpened(): Promise<void>;
}

/**
 * Opens pages for the tests of a file. Each test begins a new minute without faults of the chain and without
 * tokens that the operator vouches for. After it, what it opened is closed, and had no fault.
 */
export function sharedPages(options: PageWorldOptions = {}): SharedPages {
  let pages: PageWorld;
  let opened: OpenPage[] = [];
  const forAll: OpenPage[] = [];
  let faults: string[] = [];

  async function closeOpened() {
    faults.push(...opened.flatMap((one) => one.faults));
    await Promise.all(opened.map((one) => one.close()));
    opened = [];
  }

  beforeAll(async () => {
    pages = await openPageWorld(options);
  });
  beforeEach(() => {
    pages.newMinute();
  });
  afterEach(async () => {
    await closeOpened();
    const found = [...faults, ...forAll.flatMap((one) => one.faults)];
    faults = [];
    pages.world.clearFaults();
    pages.vouchFor([]);
    expect(found).toEqual([]);
  });
  afterAll(() => pages.close());

  return {
    get world() {
      return pages.world;
    },
    get url() {
      return pages.url;
    },
    vouchFor: (tokens) => pages.vouchFor(tokens),
    newMinute: () => pages.newMinute(),
    async open(...place) {
      const one = await pages.open(...place);
      opened.push(one);
      return one;
    },
    async openForAll(...place) {
      const one = await pages.open(...place);
      forAll.push(one);
      return one;
    },
    closeOpened,
  };
}
