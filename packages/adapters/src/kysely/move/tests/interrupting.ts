import type { MovableDatabase } from '../movable-database.js';

/** Thrown by a database in place of the answer to a statement, which was done. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Counts the statements of all databases together, and fails after as many: the statement was done, and nothing after it is. */
export function interrupting(after: number): { over(database: MovableDatabase): MovableDatabase } {
  let statements = 0;
  return {
    over: (database) => ({
      ...database,
      db: database.db.withPlugin({
        transformQuery({ node }) {
          if (statements >= after) throw new Interrupted();
          return node;
        },
        async transformResult({ result }) {
          if (++statements >= after) throw new Interrupted();
          return result;
        },
      }),
    }),
  };
}
