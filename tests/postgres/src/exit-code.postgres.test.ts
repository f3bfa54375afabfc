import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

// Without it, a run of these tests in which one failed ended as one in which all passed.
test('a process that used a server ends with the exit code that it was given', () => {
  const program = `
    import(${JSON.stringify(new URL('server.ts', import.meta.url).href)})
      .then(({ startPostgres }) => startPostgres())
      .then((server) => server.remove())
      .then(() => { process.exitCode = 3; });
  `;
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '-e', program], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(3);
});
