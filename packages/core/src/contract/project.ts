import * as z from 'zod';

import { Network, TierName } from './enums.js';
import { isoDate } from './scalars.js';

/** A project: the owner of plans, API keys, customers and webhook endpoints. */
export const ProjectWire = z
  .strictObject({
    id: z.string().describe('Its id, proj_ and 24 letters or digits.'),
    name: z.string().describe('Its name.'),
    network: Network.describe('The cluster on which payments are made.'),
    tier: TierName.describe("The name of the project's tier, which limits what the project may do."),
    created_at: isoDate.describe('When it was created.'),
  })
  .meta({
    answer: 'Project',
    example: {
      id: 'proj_0Aa1Bb2Cc3Dd4Ee5Ff6Gg7Hh',
      name: 'Acme',
      network: 'mainnet-beta',
      tier: 'business',
      created_at: '2026-10-01T12:00:00.000Z',
    },
  });
export type ProjectWire = z.infer<typeof ProjectWire>;
