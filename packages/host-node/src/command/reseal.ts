import { existsSync } from 'node:fs';
import { createClock } from '@subrail/adapters/clock';
import { createCrypto, sealingKeyId } from '@subrail/adapters/node';
import { openSqliteStore } from '@subrail/adapters/sqlite';
import { resealSecrets, type ResealedSecrets } from '@subrail/core';
import { ConfigError } from '../config/config-error.js';
import { readConfig, type Config } from '../config/read-config.js';
import { readLocalSealingKey } from '../local/local-keys.js';

/**
 * `subrail reseal`: encrypts every webhook secret in the database with the newest sealing key, and prints the id of that key
 * and what became of the secrets. Hosts may run on the database meanwhile.
 *
 * @returns the exit code: 1 when there are secrets that open with none of the keys, or endpoints that cannot be read
 */
export async function reseal(
  configFile: string | undefined,
  output: { write(text: string): unknown },
): Promise<number> {
  const config = readConfig(process.env, process.cwd(), configFile);
  const sealingKey = sealingKeyOf(config);
  if (!existsSync(config.database)) {
    throw new ConfigError([
      `There is no database at ${config.database}: set SUBRAIL_DATABASE or SUBRAIL_DATA_DIR as your hosts have it.`,
    ]);
  }
  const { store, close } = await openSqliteStore({ path: config.database });
  try {
    const crypto = createCrypto(sealingKey, { older: config.olderSealingKeys });
    const result = await resealSecrets({ store, crypto, wallClock: createClock() });
    output.write(`The newest sealing key is ${await sealingKeyId(sealingKey)}.\n${describe(result)}`);
    return result.not_opened.length + result.unreadable.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

function sealingKeyOf({ sealingKey, dataDir }: Config): Uint8Array {
  const key = sealingKey ?? readLocalSealingKey(dataDir);
  if (key !== null) return key;
  throw new ConfigError([
    `There is no sealing key in ${dataDir}: set SUBRAIL_SEALING_KEY, or SUBRAIL_DATA_DIR as your hosts have it.`,
  ]);
}

function describe({ resealed, unchanged, not_opened, unreadable }: ResealedSecrets): string {
  const done =
    resealed === 0
      ? `Nothing was left to do: the secrets of ${endpoints(unchanged)} were sealed with the newest key before.\n`
      : `The secrets of ${endpoints(resealed)} are now sealed with the newest key; those of ${endpoints(unchanged)} were before.\n`;
  return done + describeNotOpened(not_opened) + describeUnreadable(unreadable);
}

function describeNotOpened(not_opened: ResealedSecrets['not_opened']): string {
  if (not_opened.length === 0) return '';
  const problem = `The secrets of ${endpoints(not_opened.length)} open with none of the keys. Add the key that sealed them to older_sealing_keys and run this again, or rotate them without an overlap:\n`;
  const lines = not_opened.map(({ project, endpoint }) => `  ${endpoint} of project ${project}\n`);
  return [problem, ...lines].join('');
}

function describeUnreadable(unreadable: ResealedSecrets['unreadable']): string {
  if (unreadable.length === 0) return '';
  const problem = `${endpoints(unreadable.length)} cannot be read, because a row is damaged or a newer release wrote it. Keep the older keys until that is repaired and this was run again:\n`;
  return [problem, ...unreadable.map((id) => `  ${id}\n`)].join('');
}

function endpoints(count: number): string {
  return count === 1 ? '1 endpoint' : `${count} endpoints`;
}
