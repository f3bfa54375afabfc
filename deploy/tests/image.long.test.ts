// Heavy: the host is installed and built as the image and the guide do it.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { capture } from '../../scripts/tasks/processes.mjs';
import { ROOT } from '../../scripts/tasks/repository.mjs';
import { compose } from './manifests.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

type Settings = Readonly<Record<string, string>>;

let scratch: string;
let image: Image;
const started: ChildProcess[] = [];
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'subrail-image-'));
  const clone = join(scratch, 'clone');
  run('git', ['clone', '--quiet', ROOT, clone]);
  image = buildImage(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8'), clone, scratch);
});
afterAll(async () => {
  await Promise.all(started.map(stop));
  rmSync(scratch, { recursive: true, force: true });
});

function run(program: string, args: readonly string[], options: object = {}): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: 240_000,
    ...options,
  });
  expect([status, stdout + stderr]).toEqual([0, stdout + stderr]);
  return stdout;
}

/** An image that was built into a folder: its root, and what each command of it has. */
interface Image {
  readonly root: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The commands of the image, such as ENTRYPOINT. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
}

/** Builds an image as a container engine does, without one: each stage has a folder for its root. */
function buildImage(dockerfile: string, context: string, folder: string): Image {
  const stages: Record<string, string> = {};
  const commands: Record<string, readonly string[]> = {};
  const { PATH, HOME } = process.env;
  let [root, cwd, env]: [string, string, NodeJS.ProcessEnv] = ['', '', {}];
  const inside = (path: string) => (path.startsWith('/') ? join(root, path) : join(cwd, path));
  for (const line of dockerfile.replaceAll('\\\n', '').split('\n')) {
    const [, keyword = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    const words = rest.split(' ');
    if (keyword === 'FROM') {
      const { [2]: name = 'image' } = words;
      [root, cwd, env] = [join(folder, `root-${name}`), '', { PATH, HOME }];
      stages[name] = root;
    } else if (keyword === 'WORKDIR') {
      cwd = inside(rest);
      mkdirSync(cwd, { recursive: true });
    } else if (keyword === 'COPY') {
      const [to = '', ...from] = words.filter((word) => !word.startsWith('--')).toReversed();
      const [, stage] = /--from=(\w+)/.exec(rest) ?? [];
      for (const source of from) {
        const target = to.endsWith('/') ? join(to, basename(source)) : to;
        const path = join(stage === undefined ? context : (stages[stage] ?? ''), source);
        cpSync(path, inside(target), { recursive: true, verbatimSymlinks: true });
      }
    } else if (keyword === 'ENV') {
      const [, name = '', value = ''] = /^(\w+)="?([^"]*)"?$/.exec(rest) ?? [];
      // Only its first path is one of the image.
      const text = value.replace(/\$\{(\w+)\}/g, (_, other: string) => env[other] ?? '');
      env = { ...env, [name]: text.startsWith('/') ? inside(text) : text };
    } else if (keyword === 'RUN') run('sh', ['-c', rest], { cwd, env: { ...process.env, ...env } });
    else if (/\[.*\]$/.test(rest)) commands[keyword] = JSON.parse(rest.slice(rest.indexOf('['))) as string[];
  }
  return { root, cwd, env, commands };
}

/** Starts a command of the image, and resolves with the first line that matches. */
async function start([program = '', ...args]: readonly string[], environment: object, pattern: RegExp) {
  const { cwd, env } = image;
  const command = ['-c', 'exec "$@" 2>&1', 'sh', program, ...args];
  const child = spawn('sh', command, {
    cwd,
    env: { ...env, ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.push(child);
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    const match = pattern.exec(line);
    if (match === null) continue;
    child.stdout.resume();
    return { child, match };
  }
  throw new Error(`It ended without a line that matches ${String(pattern)}:\n${lines.join('\n')}`);
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
  const { port } = server.address() as AddressInfo;
  server.close();
  return String(port);
}

it('the image answers /health with the environment of compose.yaml, and writes to its volume only', async () => {
  const { ENTRYPOINT = [], CMD = [], HEALTHCHECK: [program = '', ...args] = [] } = image.commands;
  const app = join(image.root, 'app');
  const paths = () => readdirSync(app, { recursive: true, encoding: 'utf8' }).toSorted();
  const built = paths();
  const { match } = await start(['subrail', 'localnet', '--port', '0'], {}, /(http:\/\/127\.0\.0\.1:\d+)/);
  const secrets = join(scratch, 'secrets');
  mkdirSync(secrets);
  run('subrail', ['keygen', '--out', join(secrets, 'charger_key')], image);
  writeFileSync(join(secrets, 'sealing_key'), 'ab'.repeat(32), { mode: 0o600 });
  const given: Settings = {
    SUBRAIL_CHAIN: match[1] ?? '',
    SUBRAIL_NETWORK: 'devnet',
    SUBRAIL_PUBLIC_URL: 'https://billing.example',
  };
  const settings = Object.entries(compose().services['subrail']?.environment ?? {}).map(([name, value]) => {
    const text = String(value).replace(
      /^\$\{(\w+):[-?](.*)\}$/,
      (_, variable: string, rest: string) => given[variable] ?? rest,
    );
    return [name, text.replace('/run/secrets', secrets)];
  });
  const ports = { SUBRAIL_PORT: await freePort(), SUBRAIL_METRICS_PORT: '0' };
  const hosts = { SUBRAIL_HOST: '127.0.0.1', SUBRAIL_METRICS_HOST: '127.0.0.1' };
  const env = { ...image.env, ...(Object.fromEntries(settings) as Settings), ...ports, ...hosts };
  const isWell = () => spawnSync(program, args, { env }).status === 0;
  expect(isWell()).toBe(false);
  const { child } = await start([...ENTRYPOINT, ...CMD], env, /"msg":"The service is running\."/);
  expect(isWell()).toBe(true);
  const created = run('subrail', ['project', 'create', 'Shop', '--json'], { ...image, env });
  expect(JSON.parse(created)).toMatchObject({ name: 'Shop' });
  expect(await stop(child)).toBe(0);
  expect(paths()).toEqual(built);
  expect(readdirSync(image.cwd)).toContain('subrail.sqlite');
});

/** A local chain, which a host of its own runs, and a token on it. */
async function startChainWithToken(): Promise<{ readonly rpc: string; readonly mint: string }> {
  const folder = join(scratch, 'devnet');
  const environment = { SUBRAIL_PORT: '0', SUBRAIL_LOCALNET_PORT: '0', SUBRAIL_DATA_DIR: folder };
  const { match } = await start(['subrail', 'start'], environment, /^Local Solana at +(http:\S+)/);
  await vi.waitUntil(() => existsSync(join(folder, 'running-host.json')), 10_000);
  const token = run('subrail', ['local', 'token', '--json'], {
    ...image,
    env: { ...image.env, ...environment },
  });
  const { mint } = JSON.parse(token) as { readonly mint: string };
  return { rpc: match[1] ?? '', mint };
}

/** The lines of a text in their order, among others; `…` in them stands for anything. */
const linesOf = (shown: string) => {
  const lines = shown.split('\n').filter((line) => line !== '');
  const literal = lines.map((line) => line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*'));
  return new RegExp(literal.map((line) => `^${line}$`).join('[^]*'), 'm');
};

it('docs/deploy.md does what it says, with a local chain in place of devnet', async () => {
  const { rpc, mint } = await startChainWithToken();
  const port = await freePort();
  const folder = join(scratch, 'shop');
  mkdirSync(folder);
  // Each block that is to be run, and what it prints when the page says so.
  const page = readFileSync(join(ROOT, 'docs/deploy.md'), 'utf8').replaceAll(':4242', `:${port}`);
  const steps = [...page.matchAll(/^```sh run\n([^]*?)^```$(?:\n\n```text\n([^]*?)^```$)?/gm)];
  expect(steps.length).toBeGreaterThan(5);
  const script = [
    // The repository's own curl, as elsewhere: a machine of tests may have none.
    `curl() { "${process.execPath}" "${join(ROOT, 'scripts/ci/curl.mjs')}" "$@"; }`,
    `openssl() { "${process.execPath}" -p "require('crypto').randomBytes(32).toString('hex')"; }`,
    'set -e',
    'exec 2>&1',
    ...steps.map(([, step = '']) => `echo "--- step"\n${step}`),
  ].join('\n');
  const environment = { PATH: image.env['PATH'], RPC: rpc, MINT: mint, SUBRAIL_PORT: port };
  const { code, output } = await capture(['sh', '-c', script], {
    cwd: folder,
    env: { ...process.env, ...environment },
    timeout: 240_000,
  });
  expect([code, output]).toEqual([0, output]);
  const [, ...printed] = output.split(/^--- step$/m);
  for (const [index, [, , shown = '']] of steps.entries()) expect(printed[index]).toMatch(linesOf(shown));
});
