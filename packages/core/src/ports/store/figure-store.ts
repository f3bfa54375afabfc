import type {
  AddedFigures,
  DayFigures,
  KnownPrice,
  Movement,
  PlanId,
  ProjectId,
} from '../../records/index.js';
import type { WithUnreadable } from './unreadable-record.js';

/** What the days of a plan come to until one. */
export interface FiguresBefore {
  readonly planId: PlanId;
  /** How many subscriptions run when that day begins. */
  readonly running: number;
  /** How many recur. */
  readonly recurring: number;
  /** The price that was known last; null without any. */
  readonly price: KnownPrice | null;
}

/** The place of a movement in a list. */
export type MovementPlace = Pick<Movement, 'id' | 'at'>;

/** A part of the movements of a project. */
interface Movements extends WithUnreadable {
  readonly movements: readonly Movement[];
  /** The place after which further ones follow; null when none does. */
  readonly next: MovementPlace | null;
}

/**
 * A capability: figures of each project, plan and day, and the movements by which they can be counted anew.
 * `commit` adds both, in the same step as the change that they tell. Figures add up: the order in which they
 * were added changes nothing that is read.
 */
export interface FigureStore {
  /** Adds figures to those of their plans and days, as `commit` does. */
  addFigures(figures: readonly AddedFigures[]): Promise<void>;
  /**
   * Joins figures that were added to one plan and day into one row, so that a read takes no longer the more
   * was added: at most `limit` additions, damaged ones too, which it puts aside. Returns how many; fewer than
   * `limit` mean that few are left. No sum changes, also when N callers race. A store that adds to one row at
   * once returns 0.
   */
  mergeFigures(limit: number): Promise<number>;
  /**
   * Returns the figures of each plan and day that has any, from the day that begins at `since` to before
   * `until`, the first day first, and in any order within one day. A caller who wants `only` the sums or only
   * the cohorts gets the others empty, because to read them takes time. Throws `UnreadableFigures` when what
   * it reads of a row is damaged.
   */
  readFigures(
    projectId: ProjectId,
    since: Date,
    until: Date,
    only?: 'sums' | 'cohorts',
  ): Promise<readonly DayFigures[]>;
  /**
   * Returns what all days before the one that begins at `day` come to, by plan and in any order; a plan
   * without figures before may be left out.
   */
  readFiguresBefore(projectId: ProjectId, day: Date): Promise<readonly FiguresBefore[]>;
  /** Replaces all figures of a project's day by the given ones. */
  replaceFigures(projectId: ProjectId, day: Date, figures: readonly AddedFigures[]): Promise<void>;
  /**
   * Returns movements of the project from `since` to before `until`, oldest first and by id within one
   * instant: at most `limit`, unreadable ones included, and only those that follow `after`, when it is not
   * null.
   */
  listMovements(
    projectId: ProjectId,
    since: Date,
    until: Date,
    after: MovementPlace | null,
    limit: number,
  ): Promise<Movements>;
}
