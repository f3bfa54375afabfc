import { initial } from './0001-initial.js';
import { expiredCheckouts } from './0002-expired-checkouts.js';
import { plainNames } from './0003-plain-names.js';

/** Every step of the schema by name, in order. A step that was released is never edited: a further one is added. */
export const MIGRATIONS: Readonly<Record<string, readonly string[]>> = {
  '0001_initial': initial,
  '0002_expired_checkouts': expiredCheckouts,
  '0003_plain_names': plainNames,
};
