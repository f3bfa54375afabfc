import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { pages } from '../docs/pages.js';
import { PAGE_MODULE, pageModule } from '../tasks/page.mjs';
import { ROOT } from '../tasks/repository.mjs';

it.each([...(await pages())])('%s is as `npm run docs` writes it', (path, text) => {
  expect(readFileSync(join(ROOT, path), 'utf8')).toBe(text);
});

it('the host serves the cancel page as its sources make it; if not, run `npm run page`', () => {
  // A difference of two bundles is no text for a person.
  expect(readFileSync(PAGE_MODULE, 'utf8') === pageModule()).toBe(true);
});

it.each([
  ['checkout.md', 'html/index.html'],
  ['checkout.md', 'react/main.tsx'],
  ['checkout.md', 'next/page.tsx'],
  ['checkout.md', 'vue/CheckoutPage.vue'],
  ['checkout.md', 'svelte/CheckoutPage.svelte'],
  ['checkout.md', 'own-look/main.ts'],
  ['checkout.md', 'react/own-look/main.tsx'],
  ['portal.md', 'own-look/portal/main.ts'],
])('docs/%s shows %s of examples/checkouts as it is', (name, path) => {
  const text = readFileSync(join(ROOT, 'examples/checkouts', path), 'utf8');
  const page = readFileSync(join(ROOT, 'docs', name), 'utf8');
  expect(page).toContain(`\n\`\`\`${path.split('.').at(-1)}\n${text}\`\`\`\n`);
});

it('docs/checkout.md shows the app of Next that is built and paid on, 15 lines of it', () => {
  const files = [
    'app/subscribe/page.tsx',
    'app/api/billing/[...path]/route.ts',
    'billing.ts',
    'next.config.ts',
  ].map((path) => readFileSync(join(ROOT, 'tests/apps/next', path), 'utf8'));
  const page = readFileSync(join(ROOT, 'docs/checkout.md'), 'utf8');
  for (const text of files) expect(page).toContain(`\n\`\`\`tsx\n${text}\`\`\`\n`);
  expect(files.join('').match(/^.+$/gm)).toHaveLength(15);
});
