import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from './config-error.js';
import { SETTINGS, type SettingName } from './settings.js';

/** A value somebody wrote, and where, so that a sentence can point at it. */
export interface RawSetting {
  readonly value: unknown;
  /** For example `SUBRAIL_PORT`, or `"port" in /srv/subrail.json`. */
  readonly where: string;
}

export type RawSettings = ReadonlyMap<SettingName, RawSetting>;

const PREFIX = 'SUBRAIL_';
const SECRET_FILE = '_file';
/** Permission bits of everyone but the owner. */
const OTHERS = 0o077;

/** Every `SUBRAIL_` variable but `SUBRAIL_CONFIG`, which names the file. Relative paths start at `folder`. */
export function readEnvironment(
  environment: NodeJS.ProcessEnv,
  folder: string,
  problems: string[],
): RawSettings {
  const written = Object.entries(environment)
    .filter(([name]) => name.startsWith(PREFIX) && name !== `${PREFIX}CONFIG`)
    .map(([name, value]) => ({ name: name.slice(PREFIX.length).toLowerCase(), value, where: name }));
  return layer(written, folder, 'environment variable', (name) => PREFIX + name.toUpperCase(), problems);
}

/** The file: the one named, which has to exist, or `subrail.json` when it is in `folder`, where relative paths start. */
export function readConfigFile(named: string | undefined, folder: string, problems: string[]): RawSettings {
  const path = resolve(folder, named ?? 'subrail.json');
  if (named === undefined && !existsSync(path)) return new Map();
  const parsed = parseFile(path);
  const written = Object.entries<unknown>({ ...parsed }).map(([name, value]) => ({
    name,
    value,
    where: `"${name}" in ${path}`,
  }));
  return layer(written, folder, 'key', (name) => `"${name}"`, problems);
}

function parseFile(path: string): object {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ConfigError([`The configuration file ${path} cannot be read: ${reasonOf(cause)}.`]);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ConfigError([`The configuration file ${path} is not JSON: ${reasonOf(cause)}.`]);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new ConfigError([`The configuration file ${path} must hold one JSON object.`]);
  }
  return parsed;
}

function layer(
  entries: readonly { readonly name: string; readonly value: unknown; readonly where: string }[],
  folder: string,
  kind: string,
  spell: (name: string) => string,
  problems: string[],
): RawSettings {
  const found = new Map<SettingName, RawSetting>();
  for (const { name, value, where } of entries) {
    const key = keyOf(name);
    if (key === null) {
      const known = Object.keys(SETTINGS).map(spell).join(', ');
      problems.push(`${where} is not a known ${kind}. Known ones: ${known}.`);
    } else if (found.has(key)) {
      problems.push(`${spell(key)} and ${spell(key + SECRET_FILE)} are both given; give one of them.`);
    } else if (name === key) {
      found.set(key, { value, where });
    } else {
      const content = readSecret(value, where, folder, problems);
      if (content !== null) found.set(key, content);
    }
  }
  return found;
}

function keyOf(name: string): SettingName | null {
  if (Object.hasOwn(SETTINGS, name)) return name as SettingName;
  const bare = name.endsWith(SECRET_FILE) ? name.slice(0, -SECRET_FILE.length) : '';
  return Object.hasOwn(SETTINGS, bare) && SETTINGS[bare as SettingName].secret ? (bare as SettingName) : null;
}

function readSecret(value: unknown, where: string, folder: string, problems: string[]): RawSetting | null {
  if (typeof value !== 'string' || value === '') {
    problems.push(`${where} must be the path of a file that holds the secret.`);
    return null;
  }
  const path = resolve(folder, value);
  try {
    const text = readOwnersOnly(path);
    if (text !== null) return { value: text.trim(), where: `the content of ${path}, named by ${where},` };
    problems.push(`${where} names ${path}, which is open to other users. Run: chmod 600 ${path}`);
    return null;
  } catch (cause) {
    problems.push(`${where} names ${path}, which cannot be read: ${reasonOf(cause)}.`);
    return null;
  }
}

/** The file's text, or null when anyone but its owner may do anything with it (where the system has such permissions). */
function readOwnersOnly(path: string): string | null {
  const file = openSync(path, 'r');
  try {
    const open = process.platform !== 'win32' && (fstatSync(file).mode & OTHERS) !== 0;
    return open ? null : readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
