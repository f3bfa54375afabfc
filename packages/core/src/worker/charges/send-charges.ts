import type { Committer } from '../../commits/commit-changes.js';
import { subjectOf } from '../../commits/log-changes.js';
import type { Service } from '../../service.js';
import { settleRefusedCharge } from '../../settlement/settle-charge.js';
import { commitBatch } from './commit-batch.js';
import { isolateFailure } from './isolate-failures.js';
import { readAndDecide } from './read-and-decide.js';
import type { ChargeTransaction, SignedCharge } from './sign-charges.js';
import { SETTLED, type WorkItem } from './work-item.js';

/**
 * Sends transactions whose intents are stored, and returns how many charges the chain did not refuse. Only
 * the refusal of a transaction with one charge settles it here; other outcomes are looked up by signature
 * later (attempts#send-timeout-proves-nothing).
 */
export async function sendCharges(
  service: Service,
  committer: Committer,
  transactions: readonly ChargeTransaction[],
): Promise<number> {
  if (transactions.length === 0) return 0;
  const wires = transactions.flatMap(([charge]) => charge?.transfer.wire ?? []);
  const outcomes = await service.chain.send(wires);
  const now = service.clock.now();
  for (const [index, charges] of transactions.entries())
    if (outcomes[index]?.kind !== 'refused') for (const charge of charges) noteSent(service, charge, now);
  const refused = transactions.flatMap(([charge, ...others], index) => {
    const outcome = outcomes[index];
    if (charge === undefined || others.length > 0 || outcome?.kind !== 'refused') return [];
    const item: WorkItem = { changes: charge.changes.next(), state: SETTLED };
    return [{ item, transfer: charge.transfer, refusal: outcome.refusal }];
  });
  for (const { item, transfer, refusal } of refused) {
    isolateFailure(service, item.changes, () => {
      const { amount, periodStart } = transfer;
      const nextStep = settleRefusedCharge(item.changes, transfer, refusal, now);
      if (nextStep === 'read')
        item.state = { kind: 'unread', isDue: true, refused: { refusal, amount, periodStart } };
    });
  }
  const items = refused.map(({ item }) => item);
  await readAndDecide(service, items, now);
  // A charge that the read finds possible is not made here: the next pass makes it.
  const settled = items.map(({ changes }) => changes).filter((changes) => !changes.discarded);
  await commitBatch(service, committer, settled, now);
  return transactions.flat().length - refused.length;
}

function noteSent({ logger, telemetry }: Service, { changes, transfer }: SignedCharge, now: Date): void {
  const { before, plan } = changes;
  const { amount, signature, trigger, periodStart } = transfer;
  const lateMs = before.nextTryAt === null ? 0 : Math.max(0, now.getTime() - before.nextTryAt.getTime());
  telemetry.late('charges', lateMs / 1_000);
  logger.info(
    {
      ...subjectOf(before, plan),
      amount: amount.toString(),
      ...(periodStart === null ? {} : { period_start: periodStart.toISOString() }),
      trigger,
      signature,
      late_ms: lateMs,
    },
    'A charge was sent.',
  );
}
