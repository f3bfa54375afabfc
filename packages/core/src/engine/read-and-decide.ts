import { decide } from '../rules/decide.js';
import type { Service } from '../service.js';
import type { Intent, Refused } from './apply-decision.js';
import { applyDecision, applyIncompletePlan, applySilence } from './apply-decision.js';
import { attemptRow } from './attempt-row.js';
import { readViews } from './read-views.js';
import type { Row } from './row.js';

/** A row that has to be read, and the refused charge the read is to explain, if any. */
export interface ToRead {
  readonly row: Row;
  readonly refused: Refused | null;
}

/** Reads every row in as few calls as the chain allows, and decides each purely. */
export async function readAndDecide(
  service: Service,
  toRead: readonly ToRead[],
  now: Date,
): Promise<readonly Intent[]> {
  const rows = toRead.map(({ row }) => row);
  const goneBefore = (row: Row) => row.subscription.goneSince !== null;
  const [first, second] = await Promise.all([
    readViews(
      service,
      rows.filter((row) => !goneBefore(row)),
      'confirmed',
    ),
    readViews(service, rows.filter(goneBefore), 'finalized'),
  ]);
  const intents: Intent[] = [];
  for (const { row, refused } of toRead) {
    attemptRow(service, row, () => {
      const answer = first.get(row) ?? second.get(row);
      if (answer === undefined) return;
      if (row.plan.createdOnChainAt === null) return applyIncompletePlan(row, now);
      if (!answer.ok) return applySilence(row, answer.silence, refused, now);
      const view = answer.value;
      const decision = decide(row.subscription, row.plan, view, service.chain.charger, goneBefore(row));
      const intent = applyDecision(row, decision, refused, now);
      if (intent !== null) intents.push(intent);
    });
  }
  return intents;
}
