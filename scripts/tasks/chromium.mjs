import { existsSync } from 'node:fs';
import { captureEach } from './processes.mjs';

/** @param {readonly string[]} args */
const aptGet = (...args) => ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args];

/**
 * Installs Chromium where that is possible without asking: on Debian, as root.
 * @param {string} [path] where it is when none is named
 * @returns {Promise<string | null>} what is missing, and why; null when nothing is
 */
export async function prepareChromium(path = '/usr/bin/chromium') {
  const named = process.env['SUBRAIL_CHROMIUM'];
  if (existsSync(named ?? path)) return null;
  if (named !== undefined) return `SUBRAIL_CHROMIUM names ${named}, which does not exist.`;
  const advice = 'Install it (on Debian: apt-get install chromium), or name one in SUBRAIL_CHROMIUM.';
  if (process.getuid?.() !== 0) return `There is no Chromium. ${advice}`;
  const { output } = await captureEach([aptGet('update', '-qq'), aptGet('install', '-y', '-qq', 'chromium')]);
  return existsSync(path) ? null : `There is no Chromium, and apt-get installed none. ${advice}\n${output}`;
}
