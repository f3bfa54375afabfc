import type { ApiKey, ApiKeyId, ChainIdentity, Plan, PlanId, Project, ProjectId } from '@subrail/core/ports';
import type { Network, PlanStatus, TierName } from '@subrail/core/schemas';
import { bigInteger, flag, instant, integer, nullable, text } from '../codec/codec.js';
import { json, plain } from '../codec/json-codec.js';
import { recordTable } from './record-table.js';

/** The one row has this id. */
const ONLY_ROW = 1;

export const chainIdentityTable = recordTable<ChainIdentity>()(
  'chain_identity',
  { genesisHash: text(), network: text<Network>(), charger: text() },
  { id: () => ONLY_ROW },
);

export const projectTable = recordTable<Project>()('projects', {
  id: text<ProjectId>(),
  name: text(),
  tier: text<TierName>(),
  logoUrl: nullable(text()),
  cancelUrl: nullable(text()),
  subscriberLimit: nullable(integer),
  publishedPlansLimit: nullable(integer),
  createdAt: instant,
});

export const apiKeyTable = recordTable<ApiKey>()('api_keys', {
  id: text<ApiKeyId>(),
  projectId: text<ProjectId>(),
  name: nullable(text()),
  hash: text(),
  createdAt: instant,
  lastUsedAt: nullable(instant),
  expiresAt: nullable(instant),
  revokedAt: nullable(instant),
});

export const planTable = recordTable<Plan>()('plans', {
  id: text<PlanId>(),
  projectId: text<ProjectId>(),
  version: integer,
  status: text<PlanStatus>(),
  slug: text(),
  name: text(),
  description: nullable(text()),
  website: nullable(text()),
  logoUrl: nullable(text()),
  owner: text(),
  number: bigInteger,
  address: text(),
  createdOnChainAt: nullable(instant),
  mint: text(),
  tokenProgram: text(),
  decimals: integer,
  amount: bigInteger,
  periodHours: integer,
  destinations: json(plain<Plan['destinations']>()),
  endsAt: nullable(instant),
  retryPolicy: nullable(json(plain<NonNullable<Plan['retryPolicy']>>())),
  operatorPlan: flag,
  tokenNames: nullable(json(plain<NonNullable<Plan['tokenNames']>>())),
  onePerCustomer: flag,
  pullers: nullable(json(plain<NonNullable<Plan['pullers']>>())),
  goneSince: nullable(instant),
  nextCheckAt: nullable(instant),
  createdAt: instant,
});
