import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './repository.mjs';

// What an installation writes from the sources, and no commit holds. `npm install` sees none of the
// workspace's packages, and what it leaves would be in the way of those: the next command installs.
if (process.env['npm_config_user_agent']?.startsWith('npm/')) {
  rmSync(join(ROOT, 'node_modules'), { recursive: true, force: true });
  console.error(
    'This is a workspace of pnpm. Run npm start or npm test: they install everything that is needed.',
  );
} else {
  const { page } = await import('./page.mjs');
  await page();
}
