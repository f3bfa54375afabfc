import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../tasks/repository.mjs';

/** Tests that take a moment to end, and then copy a file of their clone. */
const TESTS = `import { copyFileSync, writeFileSync } from 'node:fs';
process.on('SIGTERM', () => setTimeout(() => process.exit(copyFileSync('.gitignore', '../../../end') ?? 3), 200));
setTimeout(() => {}, 60_000);
writeFileSync('../../../begun', '');`;

const SCRIPT = `
mkdir -p copy/.ci copy/scripts temporary bin; cp "$RUN" copy/.ci/run; cd copy
echo node_modules > .gitignore; echo "$TESTS" > scripts/tasks.mjs
git init -q; git add .; git -c user.name=a -c user.email=a@b commit -qm all; mkdir node_modules
TMPDIR=$PWD/../temporary bash .ci/run > /dev/null &
while [ ! -e ../begun ]; do sleep 0.05; done
kill $!; wait $!; echo $? $(cat ../end) $(ls ../temporary)
echo 'touch ../cloned' > ../bin/git; chmod +x ../bin/git
TMPDIR=$PWD/none PATH=$PWD/../bin:$PATH bash .ci/run > /dev/null 2>&1; echo $? $(ls ..)`;

it('.ci/run ends its tests before it deletes the clone, and clones nowhere without a temporary folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'subrail-'));
  const env = { ...process.env, TESTS, RUN: join(ROOT, '.ci/run') };
  const { stdout } = spawnSync('bash', ['-c', SCRIPT], { cwd: folder, env, encoding: 'utf8' });
  expect(stdout).toBe('3 node_modules\n1 begun bin copy end temporary\n');
  rmSync(folder, { recursive: true });
});
