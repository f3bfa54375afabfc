import { cpuUsage } from 'node:process';
import type { Took } from './load.js';

/** One of the things compared: runs a round of its own and tells what it took. */
export type Contender = () => Promise<Took>;

/** What a contender came to over all rounds. */
export interface Result {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of processor time this process spent on each. */
  readonly processor: number;
}

/**
 * Runs the contenders in turn, round after round and every other round in the opposite order, so that whatever else the
 * machine does meets all of them alike. The first rounds only warm up. A contender's rate is the median of its rounds.
 */
export async function compare(
  contenders: readonly Contender[],
  rounds: number,
  warmUp: number,
): Promise<readonly Result[]> {
  const entries = contenders.map((contender) => ({ contender, tooks: [] as (Took & { cpu: number })[] }));
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const { contender, tooks } of round % 2 === 0 ? entries : entries.toReversed()) {
      const before = cpuUsage();
      const took = await contender();
      const { user, system } = cpuUsage(before);
      if (round >= warmUp) tooks.push({ ...took, cpu: (user + system) / 1000 });
    }
  }
  return entries.map(({ tooks }) => {
    const each = tooks.flatMap((took) => took.each);
    return {
      perSecond: quantile(
        tooks.map((took) => (took.each.length * 1000) / took.ms),
        0.5,
      ),
      p50: quantile(each, 0.5),
      p99: quantile(each, 0.99),
      processor: quantile(
        tooks.map((took) => took.cpu / took.each.length),
        0.5,
      ),
    };
  });
}

/** Times every call of a round in this process, one after the other. */
export async function inProcess<T>(asked: readonly T[], act: (one: T) => unknown): Promise<Took> {
  const each: number[] = [];
  const started = performance.now();
  let before = started;
  for (const one of asked) {
    await act(one);
    const after = performance.now();
    each.push(after - before);
    before = after;
  }
  return { ms: before - started, each };
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
