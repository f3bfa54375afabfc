import { z } from 'zod';

import { Network, TierName } from './enums.js';
import { isoDate } from './scalars.js';

/** seats-and-tiers#tier-limits: the project the key belongs to. */
export const ProjectWire = z.strictObject({
  id: z.string(),
  name: z.string(),
  network: Network,
  tier: TierName,
  created_at: isoDate,
});
export type ProjectWire = z.infer<typeof ProjectWire>;
