import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { similarTo } from '../suggestion.js';
import { ConfigError } from './config-error.js';
import { isInjected } from './injected-variables.js';
import { readSecretFile } from './secret-file.js';
import { SETTINGS, type Setting, type SettingName } from './settings.js';

/** A value as it was written, before validation, with its source for error messages. */
interface RawSetting {
  readonly value: unknown;
  /** For example `SUBRAIL_PORT`, or `"port" in /srv/subrail.json`. */
  readonly source: string;
}

/** The settings as given. `unreadable`: the file of a secret could not be read, which was reported. */
export type RawSettings = ReadonlyMap<SettingName, RawSetting | 'unreadable'>;

/** A sentence for the log of a host that starts, though nothing is wrong. */
export interface Remark {
  readonly level: 'info' | 'warn';
  readonly sentence: string;
}

/** The problems and remarks of reading sources. */
export interface Findings {
  /** A sentence for each reason to refuse the configuration. */
  readonly problems: string[];
  readonly remarks: Remark[];
}

const PREFIX = 'SUBRAIL_';
/** Names the configuration file. */
export const CONFIG_VARIABLE = `${PREFIX}CONFIG`;
/** Variables of the command, which a host ignores. */
const COMMAND_VARIABLES = ['URL', 'KEY', 'KEY_FILE', 'PROJECT'].map((name) => PREFIX + name);
const FILE_SUFFIX = '_file';
const OTHER_VARIABLES = [...COMMAND_VARIABLES, CONFIG_VARIABLE];

/**
 * Reads every `SUBRAIL_` variable but `SUBRAIL_CONFIG`, which names the file, those of the command, and those
 * that a platform made. Relative paths start at `folder`.
 */
export function readEnvironment(
  environment: NodeJS.ProcessEnv,
  folder: string,
  findings: Findings,
): RawSettings {
  const ours = Object.entries(environment).filter(
    ([name]) => name.startsWith(PREFIX) && !OTHER_VARIABLES.includes(name),
  );
  const injected = ours.map(([name]) => name).filter((name) => isInjected(name, environment));
  if (injected.length > 0)
    findings.remarks.push({
      level: 'info',
      sentence: `Ignored, because the platform sets them for its services and they are no settings: ${injected.join(', ')}.`,
    });
  const entries = ours
    .filter(([name]) => !injected.includes(name))
    .map(([name, value]) => ({ name: name.slice(PREFIX.length).toLowerCase(), value, source: name }));
  const spell = (name: string) => PREFIX + name.toUpperCase();
  const source = { folder, kind: 'environment variable', spell, others: OTHER_VARIABLES };
  return collect(entries, source, findings);
}

/**
 * Reads the configuration file: `path`, which has to exist, or else `subrail.json` if it is in `folder`.
 * Relative paths start at `folder`.
 */
export function readConfigFile(path: string | undefined, folder: string, findings: Findings): RawSettings {
  const file = resolve(folder, path ?? 'subrail.json');
  // A link that leads nowhere is a configuration that is missing, and not one that was never there.
  if (path === undefined && lstatSync(file, { throwIfNoEntry: false }) === undefined) return new Map();
  const { settings, remedy, readableByAll } = parseFile(file);
  const entries = Object.entries<unknown>({ ...settings }).map(([name, value]) => ({
    name,
    value,
    source: `"${name}" in ${file}`,
  }));
  const secrets = entries.filter(({ name, value }) => reveals(name, value));
  if (secrets.length > 0) {
    const names = secrets.map(({ name }) => name).join(' and ');
    if (remedy !== null)
      findings.problems.push(`${file} holds ${names}, and other users have a permission on it. ${remedy}`);
    if (readableByAll) findings.remarks.push(readableByAllRemark(`${file}, which holds ${names},`));
  }
  return collect(entries, { folder, kind: 'setting', spell: (name) => `"${name}"`, others: [] }, findings);
}

/** The object in a configuration file, with the permissions of the file. */
function parseFile(path: string) {
  let file: ReturnType<typeof readSecretFile>;
  try {
    file = readSecretFile(path);
  } catch (cause) {
    throw new ConfigError([`The configuration file ${path} cannot be read: ${reasonOf(cause)}.`]);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(file.text) as unknown;
  } catch (cause) {
    throw new ConfigError([`The configuration file ${path} is not JSON: ${reasonOf(cause)}.`]);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new ConfigError([`The configuration file ${path} must hold one JSON object.`]);
  }
  return { ...file, settings: parsed };
}

interface Entry {
  readonly name: string;
  readonly value: unknown;
  readonly source: string;
}

/** The source of entries: the environment, or the configuration file. */
interface Source {
  /** The folder of relative paths. */
  readonly folder: string;
  /** The word for an entry in messages. */
  readonly kind: string;
  /** Writes a setting's name as this source does. */
  readonly spell: (name: string) => string;
  /** Names besides settings, as written. */
  readonly others: readonly string[];
}

/** Finds the setting that each entry of a source sets, and reads the secrets that are given as files. */
function collect(
  entries: readonly Entry[],
  { folder, kind, spell, others }: Source,
  findings: Findings,
): RawSettings {
  const { problems } = findings;
  const settings = new Map<SettingName, RawSetting | 'unreadable'>();
  for (const { name, value, source } of entries) {
    const setting = settingNameOf(name);
    if (setting === null) {
      const names = [...KNOWN_NAMES.map(spell), ...others].join(', ');
      const suggestion = similarTo(name, KNOWN_NAMES, spell);
      problems.push(`${source} is not a known ${kind}.${suggestion} Known ones: ${names}.`);
    } else if (settings.has(setting)) {
      problems.push(
        `${spell(setting)} and ${spell(setting + FILE_SUFFIX)} are both given: remove one of them.`,
      );
    } else if (name === setting) {
      settings.set(setting, { value, source });
    } else {
      settings.set(setting, settingFromFile(value, source, folder, findings));
    }
  }
  return settings;
}

/** Every name that sets a setting: its own, and for a secret also the name with `_file`. */
const KNOWN_NAMES = Object.entries(SETTINGS).flatMap(([name, { secret }]) =>
  secret ? [name, name + FILE_SUFFIX] : [name],
);

/** Whether a reader of this setting learns a secret. */
function reveals(name: string, value: unknown): boolean {
  if (!Object.hasOwn(SETTINGS, name)) return false;
  const { secret, revealsNothing }: Setting = SETTINGS[name as SettingName];
  return secret && revealsNothing?.(value) !== true;
}

/** The setting that a name sets, by its own name or, for a secret, with `_file`; null for none. */
function settingNameOf(name: string): SettingName | null {
  if (Object.hasOwn(SETTINGS, name)) return name as SettingName;
  const bare = name.endsWith(FILE_SUFFIX) ? name.slice(0, -FILE_SUFFIX.length) : '';
  return Object.hasOwn(SETTINGS, bare) && SETTINGS[bare as SettingName].secret ? (bare as SettingName) : null;
}

function settingFromFile(
  value: unknown,
  source: string,
  folder: string,
  { problems, remarks }: Findings,
): RawSetting | 'unreadable' {
  if (typeof value !== 'string' || value === '') {
    problems.push(`${source} must be the path of a file that holds the secret.`);
    return 'unreadable';
  }
  const path = resolve(folder, value);
  try {
    const { text, remedy, readableByAll } = readSecretFile(path);
    if (readableByAll) remarks.push(readableByAllRemark(`${path}, which ${source} names,`));
    if (remedy === null) return { value: text, source: `The content of ${path}, named by ${source},` };
    problems.push(`${source} names ${path}, on which other users have a permission. ${remedy}`);
  } catch (cause) {
    problems.push(`${source} names ${path}, which cannot be read: ${reasonOf(cause)}.`);
  }
  return 'unreadable';
}

function readableByAllRemark(file: string): Remark {
  return {
    level: 'warn',
    sentence: `${file} can be read by every user who reaches it, and the permissions cannot be changed from here. Leave it so only where nobody but the host reaches it, as in a container.`,
  };
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
