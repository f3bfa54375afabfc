import type { Committer } from '../../commits/commit-changes.js';
import type { Service } from '../../service.js';
import { settleRefusedCharge } from '../../settlement/settle-charge.js';
import { commitBatch } from './commit-batch.js';
import { isolateFailure } from './isolate-failures.js';
import { type ReadRequest, readAndDecide } from './read-and-decide.js';
import type { SignedCharge } from './sign-charges.js';

/**
 * Sends charges whose intents are stored, and returns how many the chain did not refuse. Only a refusal settles a
 * charge here. The outcome of every other charge is looked up by its signature later
 * (attempts#send-timeout-proves-nothing).
 */
export async function sendCharges(
  service: Service,
  committer: Committer,
  charges: readonly SignedCharge[],
): Promise<number> {
  if (charges.length === 0) return 0;
  const outcomes = await service.chain.send(charges.map(({ transfer }) => transfer.wire));
  const now = service.clock.now();
  const refused = charges.flatMap(({ changes, transfer }, index) => {
    const outcome = outcomes[index];
    return outcome?.kind === 'refused'
      ? [{ changes: changes.next(), transfer, refusal: outcome.refusal }]
      : [];
  });
  const toRead: ReadRequest[] = [];
  for (const { changes, transfer, refusal } of refused) {
    isolateFailure(service, changes, () => {
      const { amount, periodStart } = transfer;
      const nextStep = settleRefusedCharge(changes, transfer, refusal, now);
      if (nextStep === 'read')
        toRead.push({ changes, isDue: true, refused: { refusal, amount, periodStart } });
    });
  }
  await readAndDecide(service, toRead, now);
  const settled = refused.map(({ changes }) => changes).filter((changes) => !changes.discarded);
  await commitBatch(service, committer, settled, now);
  return charges.length - refused.length;
}
