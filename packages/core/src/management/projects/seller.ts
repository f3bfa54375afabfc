import type * as z from 'zod';

import type { Project, Seller } from '../../records/index.js';
import type { Service } from '../../service.js';
import type { SellerUpdate, SellerWire } from './schemas.js';

/** Reads who sells for a project, as its receipts say (receipts#seller-of-a-receipt). */
export async function readSeller({ store }: Service, { id }: Project): Promise<SellerWire> {
  const seller = await store.findSeller(id);
  return {
    legal_name: seller?.legalName ?? null,
    address: seller?.address?.split('\n') ?? [],
    tax_id: seller?.taxId ?? null,
    receipt_prefix: seller?.receiptPrefix ?? null,
  };
}

/** Changes who sells for a project. Calls at once may undo each other, as two people who save do. */
export async function updateSeller(
  service: Service,
  project: Project,
  changes: z.output<typeof SellerUpdate>,
): Promise<SellerWire> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const next: SellerWire = { ...(await readSeller(service, project)), ...Object.fromEntries(given) };
  const seller: Seller = {
    projectId: project.id,
    legalName: next.legal_name,
    address: next.address.length === 0 ? null : next.address.join('\n'),
    taxId: next.tax_id,
    receiptPrefix: next.receipt_prefix,
  };
  await service.store.saveSeller(seller);
  return next;
}
