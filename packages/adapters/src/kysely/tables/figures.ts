import type {
  AddedFigures,
  CohortName,
  FiguresId,
  KnownPrice,
  Movement,
  MovementId,
  PlanId,
  ProjectId,
  SubscriptionId,
  Sums,
} from '@subrail/core/ports';
import { bigInteger, type Codec, instant, integer, nullable, text } from '../codec/codec.js';
import { json, object, plain } from '../codec/json-codec.js';
import { recordTable } from './record-table.js';

const price = object<KnownPrice>({
  at: instant,
  attemptId: plain(),
  amount: bigInteger,
  amountUsd: plain(),
});

const sums: Codec<Sums<string>, Record<string, string | number>> = {
  encode: (value) => Object.fromEntries(Object.entries(value).map(([name, sum]) => [name, encodedSum(sum)])),
  decode(encoded) {
    // In place, because an object with so many names is slow to build anew, and a year has 10,000.
    const read: Record<string, string | number | bigint> = encoded;
    for (const name of Object.keys(read)) read[name] = BigInt(read[name] ?? 0);
    return read as Sums<string>;
  },
};

/** A number when it is exact, because JSON reads it in half the time of a text. */
function encodedSum(sum: bigint = 0n): string | number {
  const number = Number(sum);
  return Number.isSafeInteger(number) ? number : String(sum);
}

export const movementTable = recordTable<Movement>()('movements', {
  id: text<MovementId>(),
  projectId: text<ProjectId>(),
  planId: text<PlanId>(),
  subscriptionId: text<SubscriptionId>(),
  at: instant,
  kind: text<Movement['kind']>(),
  reason: nullable(text()),
  recurring: integer as Codec<Movement['recurring'], number>,
  begunAt: instant,
});

export const figureTable = recordTable<AddedFigures>()('figures', {
  id: text<FiguresId>(),
  projectId: text<ProjectId>(),
  planId: text<PlanId>(),
  day: instant,
  running: integer,
  recurring: integer,
  price: nullable(json(price)),
  sums: json(sums) as Codec<Sums, string>,
  cohorts: json(sums) as Codec<Sums<CohortName>, string>,
});
