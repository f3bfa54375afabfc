import { resolve } from 'node:path';
import { readSecretFile } from '../config/secret-file.js';
import { text, type ValuesOf } from './option.js';
import type { Terminal } from './terminal.js';
import { UsageError } from './errors.js';

/** The place a command works on: a host over HTTP, or the database of a configuration. */
export type Place =
  | { readonly kind: 'host'; readonly url: string; readonly key: string }
  | { readonly kind: 'database'; readonly config: string | undefined };

export const PLACE_OPTIONS = {
  config: text('file', 'the configuration of the host, on whose database the command works'),
  url: text('url', 'a host to work on over HTTP; or SUBRAIL_URL'),
  key: text('key', 'its management key; better SUBRAIL_KEY or --key-file, which no one else sees'),
  key_file: text('file', 'a file with its management key; or SUBRAIL_KEY_FILE'),
};

/** Decides the place of a command. @throws UsageError for a host without a key, and for two places */
export function placeOf(values: ValuesOf<typeof PLACE_OPTIONS>, { environment, folder }: Terminal): Place {
  const { config } = values;
  if (config !== undefined && values.url !== undefined) {
    throw new UsageError('--config and --url are both given: remove one of them.');
  }
  const url = values.url ?? (config === undefined ? environment['SUBRAIL_URL'] : undefined);
  if (url === undefined) {
    if (values.key === undefined && values.key_file === undefined) return { kind: 'database', config };
    throw new UsageError('A key is given, but no host: add --url, or set SUBRAIL_URL.');
  }
  if (!/^https?:/.test(url) || !URL.canParse(url)) {
    throw new UsageError(`"${url}" is not an http or https address of a host.`);
  }
  const file = values.key_file ?? (environment['SUBRAIL_KEY_FILE'] || undefined);
  // A key among the arguments can be seen by every user of the machine, so it counts last.
  const key = file === undefined ? (environment['SUBRAIL_KEY'] ?? values.key) : keyIn(resolve(folder, file));
  if (key === undefined || key === '') {
    throw new UsageError(
      `${url} needs a management key: set SUBRAIL_KEY, or give --key-file. "subrail key create --management" makes one on the machine of the host.`,
    );
  }
  return { kind: 'host', url, key };
}

function keyIn(path: string): string {
  let file: ReturnType<typeof readSecretFile>;
  try {
    file = readSecretFile(path);
  } catch {
    throw new UsageError(`The key file ${path} cannot be read. Check the path and its permissions.`);
  }
  if (file.remedy !== null)
    throw new UsageError(`The key file ${path} can be read or changed by other users. ${file.remedy}`);
  return file.text;
}
