import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { capture, interruptedBy, showStep } from './processes.mjs';
import { readManifest, ROOT, workspaceFolders } from './repository.mjs';

const STAMP = join(ROOT, 'node_modules', '.subrail-installed.json');

/** Vitest's cache of modules, which names the files that the manifests exported when it was written. */
const TRANSFORMED = join(ROOT, 'node_modules', '.experimental-vitest-cache');

/** The code that loads each native addon, in a workspace member that can import it. */
const NATIVE_ADDONS = [
  { member: 'packages/adapters', load: "new (await import('better-sqlite3')).default(':memory:').close()" },
  { member: 'packages/localnet', load: "await import('litesvm')" },
];

/**
 * The command line of the package manager, at exactly the version that the root manifest names.
 * @param {readonly string[]} args
 */
export function pnpmCommand(args) {
  const { packageManager } = readManifest(ROOT);
  if (packageManager === undefined)
    throw new Error('package.json must name a packageManager, such as pnpm@10.0.0');
  return [process.platform === 'win32' ? 'npx.cmd' : 'npx', '--yes', packageManager, ...args];
}

/** The inputs of an installation. A change of them installs the packages again. */
function currentStamp() {
  const manifests = ['', ...workspaceFolders()].map((folder) => join(folder, 'package.json'));
  const hash = createHash('sha256');
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests]) {
    if (existsSync(join(ROOT, file))) hash.update(file).update(readFileSync(join(ROOT, file)));
  }
  // Native addons are built for one operating system, processor and module version of Node.
  const runtime = `${process.platform}-${process.arch}-${process.versions.modules}`;
  return { manifests: hash.digest('hex'), runtime };
}

function storedStamp() {
  try {
    return /** @type {ReturnType<typeof currentStamp>} */ (JSON.parse(readFileSync(STAMP, 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * Installs packages when the manifests, the lockfile or the Node in use changed since the last installation.
 * @returns {Promise<boolean>} whether everything is installed; when not, the reason was printed
 */
export async function ensureInstalled() {
  const current = currentStamp();
  const stored = storedStamp();
  if (stored?.manifests === current.manifests && stored.runtime === current.runtime) return true;

  const { packageManager } = readManifest(ROOT);
  console.error(`Installing packages with ${packageManager}; the first time this takes a minute or two.`);
  // Tools are development dependencies, which a NODE_ENV of production must not leave out. An installation by
  // another package manager is replaced without a question.
  const install = ['install', '--frozen-lockfile', '--prod=false', '--config.confirmModulesPurge=false'];
  if (!(await installStep('install packages', install))) return false;
  const otherRuntime = stored !== undefined && stored.runtime !== current.runtime;
  if (otherRuntime && !(await installStep('rebuild native addons', ['rebuild', '--recursive']))) return false;
  if (!(await nativeAddonsLoad())) return false;
  rmSync(TRANSFORMED, { recursive: true, force: true });
  writeFileSync(STAMP, JSON.stringify(current));
  return true;
}

/**
 * @param {string} title
 * @param {readonly string[]} args
 */
async function installStep(title, args) {
  const env = { ...process.env, ...localHeaders() };
  const { code, output } = await showStep(title, () => capture(pnpmCommand(args), { env }));
  if (code === 0) return true;
  if (interruptedBy() !== undefined) return false;
  process.stderr.write(`${output.trimEnd()}\n`);
  if (/better-sqlite3/.test(output)) explainBuild();
  return false;
}

/** Makes a native addon compile against the headers that came with this Node, if any, and download none. */
function localHeaders() {
  const prefix = dirname(dirname(process.execPath));
  return existsSync(join(prefix, 'include', 'node', 'node_api.h')) ? { npm_config_nodedir: prefix } : {};
}

async function nativeAddonsLoad() {
  for (const { member, load } of NATIVE_ADDONS) {
    const command = [process.execPath, '--input-type=module', '--eval', load];
    const { code, output } = await capture(command, { cwd: join(ROOT, member) });
    if (code === 0) continue;
    process.stderr.write(`${output.trimEnd()}\n`);
    console.error(`A native addon does not load on this machine (${currentStamp().runtime}): ${load}`);
    if (load.includes('better-sqlite3')) explainBuild();
    return false;
  }
  return true;
}

function explainBuild() {
  console.error(`
better-sqlite3 is a native addon: without a ready-made binary for this machine it is compiled,
which needs Python 3, make and a C++ compiler (on Debian: apt-get install python3 make g++).
Install them and run the same command again.`);
}
