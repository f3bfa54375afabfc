import { replacing, type BrokenStore } from './break-store.js';

/** Stores that count something else than what was added. */
export const BROKEN_FIGURES: readonly BrokenStore[] = [
  {
    promise: 'adds the figures of a commit that took effect to those of their plans and days',
    fault: 'adds the figures of a commit that is lost',
    create: replacing((operations) => ({
      async commit(changes, figures = []) {
        await operations.addFigures(figures);
        return operations.commit(changes);
      },
    })),
  },
  {
    promise: 'adds the figures of a commit that took effect to those of their plans and days',
    fault: 'adds no figures of a commit',
    create: replacing((operations) => ({ commit: (changes) => operations.commit(changes) })),
  },
  {
    promise: 'leaves out sums of 0, and keeps the price that was known last',
    fault: 'keeps the price that was added last',
    create: replacing((operations, { figures }) => ({
      async addFigures(added) {
        await operations.addFigures(added);
        const price = added.at(-1)?.price ?? null;
        if (price !== null) figures.put(figures.all().map((row) => ({ ...row, price })));
      },
    })),
  },
  {
    promise: 'changes no sum when additions are merged, also by racing callers',
    fault: 'counts what it merges once more',
    create: replacing((_, { figures }) => ({
      async mergeFigures() {
        const twice = figures.all().filter(({ running }) => running > 0);
        figures.put(twice.map((row) => ({ ...row, running: 0 })));
        return 0;
      },
    })),
  },
  {
    promise: 'reads the days of a span, and what all days before come to, of one project',
    fault: 'counts the first day of the span among the days before',
    create: replacing((operations) => ({
      readFiguresBefore: (projectId, day) =>
        operations.readFiguresBefore(projectId, new Date(day.getTime() + 1)),
    })),
  },
  {
    promise: 'reads the sums of a day, its cohorts, or both',
    fault: 'reads both whatever is asked',
    create: replacing((operations) => ({
      readFigures: (projectId, since, until) => operations.readFigures(projectId, since, until),
    })),
  },
  {
    promise: 'replaces the figures of one day of a project',
    fault: 'keeps what the day had',
    create: replacing((operations) => ({
      replaceFigures: (_projectId, _day, figures) => operations.addFigures(figures),
    })),
  },
  {
    promise: 'lists the movements of a project in a span of time, oldest first',
    fault: 'lists what happened at the end of the span',
    create: replacing((operations) => ({
      listMovements: (projectId, since, until, after, limit) =>
        operations.listMovements(projectId, since, new Date(until.getTime() + 1), after, limit),
    })),
  },
];
