import type { Service } from '../../service.js';
import { isolateFailure } from './isolate-failures.js';
import type { ToRead } from './read-and-decide.js';
import { readAndDecide } from './read-and-decide.js';
import type { CommitBuilder } from '../../commits/commit-builder.js';
import { settleRefusal } from '../../settlement/settle-charge.js';
import type { Signed } from './sign-charges.js';
import { commitEach } from './commit-each.js';

/** Sends what is stored. Only a refusal settles anything here; all else is looked up by signature. */
export async function sendCharges(service: Service, builder: CommitBuilder, signed: readonly Signed[]): Promise<number> {
  if (signed.length === 0) return 0;
  const outcomes = await service.chain.send(signed.map(({ transfer }) => transfer.wire));
  const now = service.clock.now();
  const refused = signed.flatMap(({ row, transfer }, index) => {
    const outcome = outcomes[index];
    return outcome?.kind === 'refused' ? [{ row: row.next(), transfer, refusal: outcome.refusal }] : [];
  });
  const toRead: ToRead[] = [];
  for (const { row, transfer, refusal } of refused) {
    isolateFailure(service, row, () => {
      row.keep({ ...transfer, state: 'failed', resolvedAt: now });
      const { amount, periodStart } = transfer;
      const leaves = settleRefusal(row, transfer, refusal, now);
      if (leaves === 'read') toRead.push({ row, refused: { refusal, amount, periodStart } });
    });
  }
  await readAndDecide(service, toRead, now);
  await commitEach(
    service,
    builder,
    refused.map(({ row }) => row).filter((row) => !row.abandoned),
    now,
  );
  return signed.length - refused.length;
}
