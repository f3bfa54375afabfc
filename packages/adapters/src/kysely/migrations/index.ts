import { initial } from './0001-initial.js';
import type { Migrations } from './for-engine.js';

/** Every migration by name, in order. A released migration is never edited; add a new one. */
export const MIGRATIONS: Migrations = {
  '0001_initial': initial,
};
