import { cpuUsage } from 'node:process';
import type { RoundTimes } from './load.js';

/** A side of a comparison: runs a round and returns its duration. */
export type Contender = () => Promise<RoundTimes>;

/** A contender's measurements over all rounds. */
export interface Result {
  readonly perSecond: number;
  /** The median and the 99th percentile of the time that a call took, in milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Milliseconds of CPU time that this process spent per call. */
  readonly cpu: number;
}

/**
 * Runs the contenders in turn, in the opposite order in every other round, so that other load on the machine
 * affects all of them equally. The first rounds only warm up. A contender's rate is the median of its rounds.
 */
export async function compare(
  contenders: readonly Contender[],
  rounds: number,
  warmUp: number,
): Promise<readonly Result[]> {
  const entries = contenders.map((contender) => ({
    contender,
    rounds: [] as (RoundTimes & { cpu: number })[],
  }));
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const { contender, rounds: times } of round % 2 === 0 ? entries : entries.toReversed()) {
      const before = cpuUsage();
      const time = await contender();
      const { user, system } = cpuUsage(before);
      if (round >= warmUp) times.push({ ...time, cpu: (user + system) / 1000 });
    }
  }
  return entries.map(({ rounds: times }) => {
    const each = times.flatMap((time) => time.each);
    return {
      perSecond: quantile(
        times.map((time) => (time.each.length * 1000) / time.ms),
        0.5,
      ),
      p50: quantile(each, 0.5),
      p99: quantile(each, 0.99),
      cpu: quantile(
        times.map((time) => time.cpu / time.each.length),
        0.5,
      ),
    };
  });
}

/** Times every call of a round in this process, one after the other. */
export async function inProcess<T>(queries: readonly T[], run: (query: T) => unknown): Promise<RoundTimes> {
  const each: number[] = [];
  const started = performance.now();
  let before = started;
  for (const query of queries) {
    await run(query);
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
