import type { DialectTraits } from '../query/session.js';
import { codeOf } from './error-codes.js';

/** The traits of SQLite. Its driver gives extended codes, such as `SQLITE_CONSTRAINT_UNIQUE`. */
export const sqliteTraits: DialectTraits = {
  dialect: 'sqlite',
  locksRows: false,
  isolation: null,
  textCollation: null,
  online: null,
  isConflict: () => false,
  isUniqueViolation: (error) =>
    ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes(codeOf(error)),
  isForeignKeyViolation: (error) => codeOf(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY',
};
