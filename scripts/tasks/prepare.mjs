import { page } from './page.mjs';

// What an installation writes from the sources, and no commit holds.
await page();
