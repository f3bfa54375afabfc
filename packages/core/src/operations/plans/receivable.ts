import type { z } from 'zod';

import { ServiceError } from '../../contract/errors.js';
import type { PlanInput } from '../../contract/management.js';
import type { AddressKind } from '../../ports/index.js';
import type { Service } from '../../service.js';
import { requireAnswer } from '../require-answer.js';

/** Why a destination of each kind is refused: what would be paid there could never be spent, or by a program only. */
const REFUSED: Readonly<Record<Exclude<AddressKind, 'wallet'>, string>> = {
  program: 'must be the address of a wallet, and it is a program or another address of the chain itself',
  token:
    'must be the address of a wallet, and it is a token or a token account: name the wallet that owns it',
  off_curve:
    'must be the address of a wallet, and it is off the curve, so no wallet has its key: set "allow_off_curve_destinations" to true if a program, such as a multisig, pays out what it receives',
};

/**
 * Refuses destinations that no wallet can own (plans#addresses-that-can-receive). Throws `invalid_request`, with one
 * sentence for each of them, or `network_unavailable`.
 */
export async function requireReceivable(
  { chain }: Service,
  { destinations, allow_off_curve_destinations }: z.output<typeof PlanInput>,
): Promise<void> {
  const kinds = await Promise.all(
    destinations.map(async (destination) => requireAnswer(await chain.readAddressKind(destination))),
  );
  const sentences = kinds.flatMap((kind, index) =>
    kind === 'wallet' || (kind === 'off_curve' && allow_off_curve_destinations)
      ? []
      : [`Item ${index + 1} of "destinations" ${REFUSED[kind]}.`],
  );
  if (sentences.length > 0) throw new ServiceError('invalid_request', { sentences });
}
