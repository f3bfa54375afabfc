import {
  latestPrice,
  sumOfFigures,
  type DayFigures,
  type FigureStore,
  type KnownPrice,
  type PlanId,
} from '@subrail/core/ports';
import { soonestFirst } from '../order.js';
import { figuresKey, type Tables } from '../tables.js';

/** Adds figures to those of their plans and days. */
export function addFigures({ figures }: Tables, added: readonly DayFigures[]): void {
  for (const { projectId, planId, day, running, recurring, price, sums, cohorts } of added) {
    const one: DayFigures = { projectId, planId, day, running, recurring, price, sums, cohorts };
    const before = figures.get(figuresKey(one));
    figures.put([before === null ? one : sumOfFigures(before, one)]);
  }
}

export function figureStore(tables: Tables): FigureStore {
  const { figures, movements } = tables;
  return {
    async addFigures(added) {
      addFigures(tables, added);
    },
    async mergeFigures() {
      return 0;
    },
    async readFigures(projectId, since, until, only) {
      return figures
        .where('project', projectId)
        .filter(({ day }) => day >= since && day < until)
        .map((row) => ({
          ...row,
          ...(only === 'sums' ? { cohorts: {} } : only === 'cohorts' ? { sums: {} } : {}),
        }))
        .sort((one, other) => one.day.getTime() - other.day.getTime());
    },
    async readFiguresBefore(projectId, until) {
      const plans = new Map<PlanId, { running: number; recurring: number; price: KnownPrice | null }>();
      const earlier = figures.where('project', projectId).filter(({ day }) => day < until);
      for (const { planId, running, recurring, price } of earlier) {
        const before = plans.get(planId) ?? { running: 0, recurring: 0, price: null };
        plans.set(planId, {
          running: before.running + running,
          recurring: before.recurring + recurring,
          price: latestPrice(before.price, price),
        });
      }
      return [...plans].map(([planId, sums]) => ({ planId, ...sums }));
    },
    async replaceFigures(projectId, day, added) {
      const replaced = figures
        .where('project', projectId)
        .filter((row) => row.day.getTime() === day.getTime());
      figures.delete(replaced.map(figuresKey));
      addFigures(tables, added);
    },
    async listMovements(projectId, since, until, after, limit) {
      const rest = movements
        .where('project', projectId)
        .filter(({ at }) => at >= since && at < until)
        .filter((row) => after === null || soonestFirst(row, after) > 0)
        .sort(soonestFirst);
      const listed = rest.slice(0, limit);
      return {
        movements: listed,
        unreadable: [],
        next: rest.length > limit ? (listed.at(-1) ?? null) : null,
      };
    },
  };
}
