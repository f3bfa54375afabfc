import type * as z from 'zod';

import { ServiceError } from '../../contract/errors.js';
import type { PlanInput } from './schemas.js';
import type { Service } from '../../service.js';
import { requireAnswer } from '../../operations/require-answer.js';
import { NO_WALLET } from '../../operations/require-wallet.js';

/** How a destination is accepted that no wallet signs for. */
const INTENDED =
  ': set "allow_off_curve_destinations" to true if a program, such as a multisig, pays out what it receives';

/**
 * Refuses destinations that no wallet can own (plans#addresses-that-can-receive). Throws `invalid_request`, with one
 * sentence for each of them, or `network_unavailable`.
 */
export async function requireReceivable(
  { chain }: Service,
  { destinations, allow_off_curve_destinations }: z.output<typeof PlanInput>,
): Promise<void> {
  const kinds = await Promise.all(
    destinations.map(async (destination) => requireAnswer(await chain.readAddress(destination)).kind),
  );
  const sentences = kinds.flatMap((kind, index) =>
    kind === 'wallet' || (kind === 'off_curve' && allow_off_curve_destinations)
      ? []
      : [`Item ${index + 1} of "destinations" ${NO_WALLET[kind]}${kind === 'off_curve' ? INTENDED : ''}.`],
  );
  if (sentences.length > 0) throw new ServiceError('invalid_request', { sentences });
}
