import type {
  AddedFigures,
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

const sums: Codec<Sums, Record<string, string>> = {
  encode: (value) => Object.fromEntries(Object.entries(value).map(([name, sum]) => [name, String(sum)])),
  decode(encoded) {
    // In place, because an object with so many names is slow to build anew, and a year has 10,000.
    const read: Record<string, string | bigint> = encoded;
    for (const name of Object.keys(read)) read[name] = BigInt(read[name] ?? 0);
    return read as Sums;
  },
};

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
  sums: json(sums),
});
