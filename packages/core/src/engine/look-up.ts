import type { Fate } from '../ports/index.js';
import type { Transfer } from '../records/index.js';
import type { Service } from '../service.js';
import type { Refused } from './apply-decision.js';
import { attemptRow } from './attempt-row.js';
import type { ToRead } from './read-and-decide.js';
import { landings } from './landings.js';
import { settleCharge } from './resolve.js';
import type { Row } from './row.js';
import { fateAsk } from './row.js';
import { settleCheckout } from './settle-checkout.js';

/** Looks up every transfer under way and settles what is known; answers the rows that must be read to go on. */
export async function lookUp(service: Service, rows: readonly Row[], now: Date): Promise<readonly ToRead[]> {
  const pairs = rows.flatMap((row) =>
    row.openTransfer === null ? [] : [{ row, transfer: row.openTransfer }],
  );
  if (pairs.length === 0) return [];
  const fates = await service.chain.resolve(pairs.map(({ transfer }) => fateAsk(transfer)));
  const looked = pairs.map((pair, index) => ({
    ...pair,
    fate: fates[index] ?? ({ kind: 'untold' } as const),
  }));
  const landedCheckouts = looked.filter(
    ({ transfer, fate }) => isCheckout(transfer) && fate.kind === 'landed',
  );
  const landed = await landings(
    service,
    landedCheckouts.map(({ row }) => row),
  );

  const toRead: ToRead[] = [];
  const again: string[] = [];
  for (const { row, transfer, fate } of looked) {
    attemptRow(service, row, () => {
      if (isCheckout(transfer)) {
        settleCheckout(row, transfer, fate, landed.get(row) ?? null, now);
        if (fate.kind === 'waiting') again.push(transfer.wire);
        return;
      }
      const leaves = settleCharge(row, transfer, fate, now);
      if (leaves === 'read') toRead.push({ row, refused: refusedCharge(transfer, fate) });
      if (leaves === 'send') again.push(transfer.wire);
    });
  }
  if (again.length > 0) await service.chain.send(again);
  return toRead;
}

function isCheckout({ kind }: Transfer): boolean {
  return kind !== 'charge';
}

function refusedCharge({ amount, periodStart }: Transfer, fate: Fate): Refused | null {
  return fate.kind === 'failed' ? { refusal: fate.refusal, amount, periodStart } : null;
}
