/**
 * What a database says about a move of its records. It is a row in the table of migrations, which every release reads first: one
 * that it does not know keeps a host from starting.
 */
type MoveState =
  /** The records are being moved to another database. Nothing may write here any more. */
  | 'moving_away'
  /** The records are in another database. */
  | 'moved_away'
  /** The database has a part of the records that are being moved to it. */
  | 'moving_here';

export interface MoveMark {
  readonly state: MoveState;
  /** Which move: the same in both databases. */
  readonly id: string;
}

/** They begin with zeros, which sorts them before every migration. */
const NAME = /^0000_(moving_away|moved_away|moving_here)#([0-9a-f]+)$/;

/** The name of the row of a mark. */
export function nameOfMark({ state, id }: MoveMark): string {
  return `0000_${state}#${id}`;
}

/** The mark among the names of migrations that ran, or null when the records stay where they are. */
export function markAmong(applied: readonly string[]): MoveMark | null {
  for (const name of applied) {
    const [, state, id] = NAME.exec(name) ?? [];
    if (state !== undefined && id !== undefined) return { state: state as MoveState, id };
  }
  return null;
}

/**
 * Thrown when a database is opened whose records were moved to another one, or are being moved. Only one of the two may charge,
 * so nothing was opened. The message says what to do.
 */
export class MovedDatabaseError extends Error {
  override readonly name = 'MovedDatabaseError';
}

const SENTENCES: Readonly<Record<MoveState, string>> = {
  moving_away:
    'The records of this database are being moved to another one, and nothing may write here any more. ' +
    'Run the move again to finish it, or cancel it to use this database again.',
  moved_away:
    'The records of this database were moved to another one, which charges since then. ' +
    'Use the database that they were moved to. This one is left as it was.',
  moving_here:
    'This database has only a part of the records that are being moved to it. ' +
    'Run the move again to finish it, and then use this database.',
};

/** Refuses a database whose records are moved. @throws MovedDatabaseError */
export function refuseMoved(applied: readonly string[]): void {
  const mark = markAmong(applied);
  if (mark !== null) throw new MovedDatabaseError(SENTENCES[mark.state]);
}
