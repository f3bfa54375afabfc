// Heavy: the host is installed and built as the image and the guide do it.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { capture } from '../tasks/processes.mjs';
import { ROOT } from '../tasks/repository.mjs';
import { missingLines, stepsOf } from './page-steps.js';
import { buildWithoutContainers, compose, interpolate, type BuiltImage } from './deploy-files.js';

// There may be no container engine, so the steps of the Dockerfile are run as written, in folders that stand for its stages.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let scratch: string;
let image: BuiltImage;
const started: ChildProcess[] = [];
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'subrail-image-'));
  image = buildWithoutContainers(scratch);
});
afterAll(async () => {
  await Promise.all(started.map(stop));
  rmSync(scratch, { recursive: true, force: true });
});

/** Starts a command of the image, and resolves with the first line that matches. */
async function start(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  pattern: RegExp,
) {
  const [program = '', ...rest] = args;
  const child = spawn(program, rest, {
    cwd: image.folder,
    env: { ...image.environment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  const lines: string[] = [];
  const found = new Promise<RegExpExecArray>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on('line', (line) => {
        lines.push(line);
        const match = pattern.exec(line);
        if (match !== null) resolve(match);
      });
    child.once('exit', () => {
      reject(new Error(`It ended without a line that matches ${String(pattern)}:\n${lines.join('\n')}`));
    });
  });
  return { child, match: await found };
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit') as Promise<[number | null]>;
  child.kill('SIGTERM');
  return (await ended)[0];
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return String(typeof address === 'object' ? address?.port : '');
}

/** Every path in the image but those of the volume. */
const paths = () =>
  readdirSync(image.root, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('data'))
    .toSorted();

it('the image answers /health with the environment of compose.yaml, and writes to its volume only', async () => {
  const built = paths();
  expect(built).toContain('app/bin/subrail');
  const { match } = await start(['subrail', 'localnet', '--port', '0'], {}, /(http:\/\/127\.0\.0\.1:\d+)/);
  const secrets = join(scratch, 'secrets');
  mkdirSync(secrets);
  const keygen = ['keygen', '--out', join(secrets, 'charger_key')];
  expect(spawnSync('subrail', keygen, { env: image.environment, cwd: scratch }).status).toBe(0);
  writeFileSync(join(secrets, 'sealing_key'), 'ab'.repeat(32), { mode: 0o600 });
  const given = {
    SUBRAIL_CHAIN: match[1] ?? '',
    SUBRAIL_NETWORK: 'devnet',
    SUBRAIL_PUBLIC_URL: 'https://billing.example',
  };
  const fromCompose = Object.fromEntries(
    Object.entries(compose().services['subrail']?.environment ?? {}).map(([name, value]) => [
      name,
      interpolate(String(value), given).replace('/run/secrets', secrets),
    ]),
  );
  const environment = {
    ...fromCompose,
    SUBRAIL_HOST: '127.0.0.1',
    SUBRAIL_PORT: await freePort(),
    SUBRAIL_METRICS_PORT: '0',
    SUBRAIL_METRICS_HOST: '127.0.0.1',
  };
  const check = () => {
    const [program = '', ...args] = image.healthcheck;
    return spawnSync(program, args, { env: { ...image.environment, ...environment } }).status;
  };
  expect(check()).toBe(1);
  const { child } = await start(image.command, environment, /"msg":"The service is running\."/);
  expect(check()).toBe(0);
  const made = spawnSync('subrail', ['project', 'create', 'Shop', '--json'], {
    cwd: image.folder,
    env: { ...image.environment, ...environment },
    encoding: 'utf8',
  });
  expect([made.stderr, JSON.parse(made.stdout)]).toMatchObject(['', { name: 'Shop' }]);
  expect(await stop(child)).toBe(0);
  expect(paths()).toEqual(built);
  expect(readdirSync(join(image.root, 'data'))).toContain('subrail.sqlite');
});

it('a clone, which has the packages of the tests too, builds the same', () => {
  const [clone, built] = [join(scratch, 'clone'), join(scratch, 'built')];
  const run = (program: string, ...args: readonly string[]) => {
    const { status, stderr, stdout } = spawnSync(program, args, {
      cwd: scratch,
      encoding: 'utf8',
      timeout: 240_000,
    });
    expect([status, stdout, stderr]).toEqual([0, stdout, stderr]);
    return stdout;
  };
  run('git', 'clone', '--quiet', ROOT, clone);
  run('sh', join(clone, 'deploy/build.sh'), built);
  const help = run(join(built, 'bin/subrail'), '--help');
  expect(help).toBe(run(join(image.root, 'app/bin/subrail'), '--help'));
});

/** A local chain, which a host of its own runs, and a token on it. */
async function startChainWithToken(): Promise<{ readonly rpc: string; readonly mint: string }> {
  const folder = join(scratch, 'devnet');
  const environment = { SUBRAIL_PORT: '0', SUBRAIL_LOCALNET_PORT: '0', SUBRAIL_DATA_DIR: folder };
  const { match } = await start(['subrail', 'start'], environment, /^Local Solana at +(http:\S+)/);
  await vi.waitUntil(() => existsSync(join(folder, 'running-host.json')), 10_000);
  const { stdout } = spawnSync('subrail', ['local', 'token', '--json'], {
    env: { ...image.environment, ...environment },
    encoding: 'utf8',
  });
  const { mint } = JSON.parse(stdout) as { readonly mint: string };
  return { rpc: match[1] ?? '', mint };
}

it('docs/deploy.md does what it says, with a local chain in place of devnet', async () => {
  const steps = stepsOf(readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8'));
  expect(steps.length).toBeGreaterThan(5);
  const { rpc, mint } = await startChainWithToken();
  const port = await freePort();
  const folder = join(scratch, 'shop');
  mkdirSync(folder);
  const script = [
    // The repository's own curl, as elsewhere: a machine of tests may have none.
    `curl() { "${process.execPath}" "${join(ROOT, 'scripts/ci/curl.mjs')}" "$@"; }`,
    `openssl() { "${process.execPath}" -p "require('crypto').randomBytes(32).toString('hex')"; }`,
    'set -e',
    'exec 2>&1',
    ...steps.map(
      ({ script }, index) => `echo "--- step ${index}"\n${script.replaceAll(':4242', `:${port}`)}`,
    ),
  ].join('\n');
  const environment = { PATH: image.environment['PATH'], RPC: rpc, MINT: mint, SUBRAIL_PORT: port };
  const { code, output } = await capture(
    ['sh', '-c', script],
    { cwd: folder, env: { ...process.env, ...environment } },
    { limitMs: 240_000 },
  );
  expect([code, output]).toEqual([0, output]);
  const printed = output.split(/^--- step \d+$/m).slice(1);
  for (const [index, { script, printed: shown }] of steps.entries()) {
    const lines = (printed[index] ?? '').split('\n');
    const expected = shown.map((line) => line.replaceAll(':4242', `:${port}`));
    expect([script, missingLines(lines, expected), lines]).toEqual([script, [], lines]);
  }
});
