/**
 * The state of a move, a row in the table of migrations, which every release reads first. An unknown row
 * keeps a host from starting.
 */
type MoveState = 'moving_away' | 'moved_away' | 'moving_here';

export interface MoveMark {
  readonly state: MoveState;
  /** The same in both databases. */
  readonly id: string;
}

/** The zeros sort it before every migration. */
const NAME = /^0000_(moving_away|moved_away|moving_here)#([0-9a-f]+)$/;

export function nameOfMark({ state, id }: MoveMark): string {
  return `0000_${state}#${id}`;
}

/** The mark among the migrations that ran; null without a move. */
export function markAmong(applied: readonly string[]): MoveMark | null {
  for (const name of applied) {
    const [, state, id] = NAME.exec(name) ?? [];
    if (state !== undefined && id !== undefined) return { state: state as MoveState, id };
  }
  return null;
}

/**
 * Thrown when a database is opened whose records are, or were, moved to another one: only one of the two may
 * charge.
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

/**
 * @throws MovedDatabaseError when the records are, or were, moved
 */
export function refuseMoved(applied: readonly string[]): void {
  const mark = markAmong(applied);
  if (mark !== null) throw new MovedDatabaseError(SENTENCES[mark.state]);
}
