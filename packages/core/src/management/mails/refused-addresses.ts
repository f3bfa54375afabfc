import type * as z from 'zod';

import { ServiceError } from '../../contract/errors.js';
import { toWireDate } from '../../contract/scalars.js';
import type { Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requireCapability } from '../../service/store-capabilities.js';
import type { AcceptInput, RefusedAddressWire } from './schemas.js';

/** How many refused addresses are listed. */
const MOST_LISTED = 1_000;

/** Lists the addresses that were set aside, newest first (mails#refused-address). */
export async function listRefusedAddresses(
  service: Service,
  { id }: Project,
): Promise<readonly RefusedAddressWire[]> {
  requireCapability(service, 'MailStore');
  const refused = await service.store.listRefusedAddresses(id, MOST_LISTED);
  return refused.map(({ address, reason, refusedAt }) => ({
    address,
    reason,
    refused_at: toWireDate(refusedAt),
  }));
}

/** Takes an address back, so that later mails are sent there. */
export async function acceptAddress(
  service: Service,
  { id }: Project,
  { address }: z.output<typeof AcceptInput>,
): Promise<void> {
  requireCapability(service, 'MailStore');
  if (!(await service.store.acceptAddress(id, address)))
    throw new ServiceError('not_found', {
      message: 'The address is not set aside, so mails are sent there. Look whether it is written rightly.',
    });
}
