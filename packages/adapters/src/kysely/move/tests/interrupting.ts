import type { MoveSource, MoveTarget } from '../ends.js';

/** Thrown by a database in place of the answer to a statement, which was done. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/**
 * Counts the statements of all databases, and fails after as many: the last was done, and nothing after it
 * is.
 */
export function interrupting(after: number): { over<End extends MoveSource | MoveTarget>(end: End): End } {
  let statements = 0;
  return {
    over: (end) => ({
      ...end,
      db: end.db.withPlugin({
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
