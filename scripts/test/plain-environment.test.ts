import { afterEach, expect, it, vi } from 'vitest';
import { CHANGE_TESTS, plainEnvironment } from '../tasks/plain-environment.mjs';
import { readTexts } from '../tasks/repository.mjs';

afterEach(() => void vi.unstubAllEnvs());

it('has nothing that changes the tests, and no settings of a service', () => {
  const settings = ['SUBRAIL_DATABASE', 'SUBRAIL_CONTRACT_WORLD', 'SUBRAIL_PORT'];
  const others = ['SUBRAIL_CHROMIUM', 'PROPERTY_SEED', 'SHOP'];
  for (const name of [...CHANGE_TESTS, ...settings, ...others]) vi.stubEnv(name, '1');
  expect(plainEnvironment()).toMatchObject({ SUBRAIL_CHROMIUM: '1', PROPERTY_SEED: '1', SHOP: '1' });
  expect(Object.keys(plainEnvironment())).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^SUBRAIL_(?!CHROMIUM)/)]),
  );
  expect(CHANGE_TESTS.filter((name) => name in plainEnvironment())).toEqual([]);
});

/**
 * What tests read, and may: what a machine has, what a test sets for a process of its own, and the seed,
 * which changes no size.
 */
const MAY_READ = [...['CC', 'HOME', 'PATH'], ...['CLOCK_FILE', 'PORT', 'TEST_REPORT'], 'PROPERTY_SEED'];

it('knows every variable that a test reads', () => {
  const read = new Map<string, string>();
  for (const [file, text] of readTexts()) {
    if (!/^(tests|scripts\/test)\/.*\.ts$|\/tests\/.*\.ts$|\.test\.ts$/.test(file)) continue;
    for (const [, name = ''] of text.matchAll(/process\.env(?:\.|\[')(\w+)/g)) read.set(name, file);
  }
  expect([...read.keys()]).toEqual(expect.arrayContaining(['ENGINE', 'WRITE_SCENARIOS']));
  const known = [...CHANGE_TESTS, ...MAY_READ];
  const unknown = [...read].filter(([name]) => !known.includes(name) && !name.startsWith('SUBRAIL_'));
  expect(unknown).toEqual([]);
  expect(known.filter((name) => !read.has(name))).toEqual([]);
});
