import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { prepareChromium } from '../tasks/chromium.mjs';

const ADVICE = 'Install it (on Debian: apt-get install chromium), or name one in SUBRAIL_CHROMIUM.';

let folder: string;
let user: number;
let chromium: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'subrail-chromium-'));
  chromium = join(folder, 'chromium');
  user = 0;
  vi.spyOn(process, 'getuid').mockImplementation(() => user);
  vi.stubEnv('SUBRAIL_CHROMIUM', undefined);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH'] ?? ''}`);
  aptGet('exit 1');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** Puts a script in place of apt-get, which notes its arguments. */
function aptGet(script: string) {
  const notes = `#!/bin/sh\necho "$@" >> "${join(folder, 'calls')}"\n`;
  writeFileSync(join(folder, 'apt-get'), notes + script, { mode: 0o755 });
}

it('needs nothing when there is a Chromium', async () => {
  writeFileSync(chromium, '');
  expect(await prepareChromium(chromium)).toBeNull();
  vi.stubEnv('SUBRAIL_CHROMIUM', chromium);
  expect(await prepareChromium(join(folder, 'none'))).toBeNull();
  expect(existsSync(join(folder, 'calls'))).toBe(false);
});

it('installs it as root', async () => {
  aptGet(`[ "$1" = update ] || touch "${chromium}"`);
  expect(await prepareChromium(chromium)).toBeNull();
  expect(readFileSync(join(folder, 'calls'), 'utf8')).toBe('update -qq\ninstall -y -qq chromium\n');
});

it('says what apt-get said when there is none after it', async () => {
  aptGet('echo "E: no network"; exit 100');
  expect(await prepareChromium(chromium)).toBe(
    `There is no Chromium, and apt-get installed none. ${ADVICE}\nE: no network\nE: no network\n`,
  );
});

it('asks whoever is not root to install it', async () => {
  user = 1_000;
  expect(await prepareChromium(chromium)).toBe(`There is no Chromium. ${ADVICE}`);
});

it('installs none when one is named that does not exist', async () => {
  vi.stubEnv('SUBRAIL_CHROMIUM', '/opt/none');
  expect(await prepareChromium(chromium)).toBe('SUBRAIL_CHROMIUM names /opt/none, which does not exist.');
  expect(existsSync(join(folder, 'calls'))).toBe(false);
});
