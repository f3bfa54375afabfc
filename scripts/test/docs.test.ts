import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pages } from '../docs/pages.js';
import { PAGE_MODULE, pageModule } from '../tasks/page.mjs';
import { ROOT } from '../tasks/repository.mjs';

it.each([...pages()])('%s is as `npm run docs` writes it', (path, text) => {
  expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text);
});

it('the host serves the cancel page as its sources make it; if not, run `npm run page`', () => {
  expect(readFileSync(PAGE_MODULE, 'utf8')).toBe(pageModule());
});
