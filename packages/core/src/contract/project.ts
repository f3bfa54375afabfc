import * as z from 'zod';

import { Network, TierName } from './enums.js';
import { isoDate } from './scalars.js';

/** A project: the owner of plans, API keys, customers and webhook endpoints. */
export const ProjectWire = z.strictObject({
  id: z.string(),
  name: z.string(),
  network: Network,
  tier: TierName,
  created_at: isoDate,
});
export type ProjectWire = z.infer<typeof ProjectWire>;
