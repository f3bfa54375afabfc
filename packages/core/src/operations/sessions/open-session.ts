import { newId, type Project, type Session } from '../../records/index.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import { hashKeyText, newKeyText, SESSION_SECRET } from '../projects/keys.js';

/** The seconds for which a session lasts by default (checkout-sessions#time-of-a-session). */
const LASTS: Readonly<Record<Session['kind'], number>> = { checkout: 24 * 3_600, portal: 3_600 };

/** The fields of a session that its maker decides. */
export interface SessionFields extends Omit<
  Session,
  'id' | 'projectId' | 'secretHash' | 'createdAt' | 'expiresAt'
> {
  /** The seconds until it expires; those of its kind when undefined. */
  readonly expiresIn: number | undefined;
}

/** A stored session, and the secret that opens it, which is nowhere else. */
export interface OpenedSession {
  readonly session: Session;
  readonly secret: string;
}

/** Makes and stores a session. The store gets the hash of its secret only. */
export async function openSession(
  service: Service,
  project: Project,
  { expiresIn, ...fields }: SessionFields,
): Promise<OpenedSession> {
  const now = service.clock.now();
  const secret = newKeyText(service.random, SESSION_SECRET);
  const session: Session = {
    ...fields,
    id: newId(service.random, fields.kind === 'checkout' ? 'chk' : 'prt'),
    projectId: project.id,
    secretHash: await hashKeyText(service.crypto, secret),
    createdAt: now,
    expiresAt: plus(now, (expiresIn ?? LASTS[fields.kind]) * 1_000),
  };
  await service.store.insertSession(session);
  return { session, secret };
}
