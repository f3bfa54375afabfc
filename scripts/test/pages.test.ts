import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pages } from '../docs/pages.js';
import { ROOT } from '../tasks/repository.mjs';

it.each([...pages()])('%s is as `npm run docs` writes it', (path, text) => {
  expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text);
});
