// Installs Chromium where that is possible without asking: on Debian, as root.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const named = process.env['SUBRAIL_CHROMIUM'];
const path = named ?? '/usr/bin/chromium';
const install = 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium';
if (!existsSync(path) && named === undefined && process.getuid?.() === 0)
  spawnSync('sh', ['-c', install], { stdio: 'inherit' });
if (!existsSync(path)) {
  console.error(`There is no Chromium at ${path}.`);
  console.error('Install it (on Debian: apt-get install chromium), or name one in SUBRAIL_CHROMIUM.');
  process.exitCode = 1;
}
