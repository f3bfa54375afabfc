import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { prepareChromium } from '../tasks/chromium.mjs';

const ADVICE = 'Install it (on Debian: apt-get install chromium), or name one in SUBRAIL_CHROMIUM.';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-chromium-'));
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH'] ?? ''}`);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const FAILS = 'echo "E: no network"; exit 100';
const INSTALLED = 'update -qq\ninstall -y -qq chromium\n';
it.each([
  ['is there', 0, 'PLACE', FAILS, null, ''],
  [
    'is named and is not there',
    0,
    '/opt/none',
    FAILS,
    'SUBRAIL_CHROMIUM names /opt/none, which does not exist.',
    '',
  ],
  ['is missing for a user', 1_000, undefined, FAILS, `There is no Chromium. ${ADVICE}`, ''],
  ['is missing for root', 0, undefined, '[ "$1" = update ] || touch "$PLACE"', null, INSTALLED],
  [
    ...(['cannot be installed', 0, undefined, FAILS] as const),
    `There is no Chromium, and apt-get installed none. ${ADVICE}\nE: no network\nE: no network\n`,
    INSTALLED,
  ],
])('a Chromium that %s', async (_, user, named, aptGet, missing, calls) => {
  const place = join(folder, 'chromium');
  vi.spyOn(process, 'getuid').mockReturnValue(user);
  vi.stubEnv('PLACE', place);
  vi.stubEnv('SUBRAIL_CHROMIUM', named === 'PLACE' ? place : named);
  if (named === 'PLACE') writeFileSync(place, '');
  writeFileSync(join(folder, 'calls'), '');
  const notes = `#!/bin/sh\necho "$@" >> "${join(folder, 'calls')}"\n${aptGet}\n`;
  writeFileSync(join(folder, 'apt-get'), notes, { mode: 0o755 });
  expect(await prepareChromium(place)).toBe(missing);
  expect(readFileSync(join(folder, 'calls'), 'utf8')).toBe(calls);
  if (missing === null) expect(existsSync(place)).toBe(true);
});
