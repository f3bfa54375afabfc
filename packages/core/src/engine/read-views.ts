import type { Answer, ChargeView } from '../ports/index.js';
import type { Service } from '../service.js';
import type { Row } from './row.js';
import { chargeAsk } from './row.js';

/** Reads what the charge of each row depends on, in as few calls as the chain allows. */
export async function readViews(
  service: Service,
  rows: readonly Row[],
  commitment: 'confirmed' | 'finalized',
): Promise<ReadonlyMap<Row, Answer<ChargeView>>> {
  if (rows.length === 0) return new Map();
  const asks = rows.map(({ plan, subscription }) => chargeAsk(plan, subscription.wallet));
  const answers = await service.chain.readCharges(asks, commitment);
  return new Map(
    rows.map((row, index) => [row, answers[index] ?? { ok: false, silence: { kind: 'transport' } }]),
  );
}
