import { initial } from './0001-initial.js';

/** Every step of the schema by name, in order. A step that was released is never edited: a further one is added. */
export const MIGRATIONS: Readonly<Record<string, readonly string[]>> = {
  '0001_initial': initial,
};
