import type {
  Link,
  LinkId,
  PlanId,
  ProjectId,
  ProjectLook,
  Session,
  SessionId,
  SessionSubscription,
  SubscriptionId,
} from '@subrail/core/ports';
import { flag, instant, nullable, text } from '../codec/codec.js';
import { json, plain } from '../codec/json-codec.js';
import { recordTable } from './record-table.js';

export const sessionTable = recordTable<Session>()('sessions', {
  id: text<SessionId>(),
  kind: text<Session['kind']>(),
  projectId: text<ProjectId>(),
  secretHash: text(),
  externalId: nullable(text()),
  email: nullable(text()),
  subscriptionId: nullable(text<SubscriptionId>()),
  planIds: json(plain<readonly PlanId[]>()),
  askEmail: flag,
  successUrl: nullable(text()),
  backUrl: nullable(text()),
  locale: nullable(text()),
  linkId: nullable(text<LinkId>()),
  createdAt: instant,
  expiresAt: instant,
});

export const sessionSubscriptionTable = recordTable<SessionSubscription>()('session_subscriptions', {
  sessionId: text<SessionId>(),
  subscriptionId: text<SubscriptionId>(),
  reservedAt: instant,
  submittedAt: nullable(instant),
});

export const projectLookTable = recordTable<ProjectLook>()('project_looks', {
  projectId: text<ProjectId>(),
  accent: nullable(text()),
  logo: nullable(text()),
});

export const linkTable = recordTable<Link>()('links', {
  id: text<LinkId>(),
  projectId: text<ProjectId>(),
  planId: text<PlanId>(),
  replacesPlanId: nullable(text<PlanId>()),
  askEmail: flag,
  successUrl: nullable(text()),
  createdAt: instant,
  endedAt: nullable(instant),
});
