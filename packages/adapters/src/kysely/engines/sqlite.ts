import type { DialectTraits } from '../query/session.js';
import { codeOf } from './error-codes.js';

/** What the store must know about SQLite, whose driver gives the extended code of an error, `SQLITE_CONSTRAINT_UNIQUE`, as its `code`. */
export const sqliteTraits: DialectTraits = {
  dialect: 'sqlite',
  // Only one transaction writes at a time (`begin immediate`), so rows need no locks.
  locksRows: false,
  isolation: null,
  textCollation: null,
  online: null,
  isConflict: () => false,
  isUniqueViolation: (error) =>
    ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes(codeOf(error)),
  isForeignKeyViolation: (error) => codeOf(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY',
};
