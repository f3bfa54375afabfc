import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SETTINGS } from '../config/settings.js';

const page = readFileSync(new URL('../../../../docs/host.md', import.meta.url), 'utf8');

test('docs/host.md tells every key as it is enforced', () => {
  const rows = [...page.matchAll(/^\| `(\w+)`( \(secret\))? \| (.+?) \| .+ \|$/gm)];
  const told = rows.map(([, name, secret, expected]) => [name, secret !== undefined, expected]);
  expect(told).toEqual(Object.entries(SETTINGS).map(([name, key]) => [name, key.secret, key.expected]));
});
