import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PAGE_MODULE, pageModule } from '../tasks/page.mjs';

it('the host serves the cancel page as its sources make it; if not, run `npm run page`', () => {
  expect(readFileSync(PAGE_MODULE, 'utf8')).toBe(pageModule());
});
