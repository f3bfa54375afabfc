import { type ErrorCode, ERRORS, ServiceError } from '../contract/errors.js';
import { LIMITS } from '../contract/limits.js';
import { type CustomerCaller, callerOfSession } from '../operations/customer/caller.js';
import { requireProject } from '../operations/require.js';
import type { Operation } from '../operations/operation.js';
import { API_KEY, isExpired, MANAGEMENT_KEY, SESSION_SECRET } from '../operations/projects/keys.js';
import type { OperationCall } from '../operations/run-operation.js';
import type { ApiKey, ManagementKey, Project, Session } from '../records/index.js';
import type { Service } from '../service.js';
import type { KeyHolder, KeyRing } from './authenticate.js';
import type { MatchedRoute } from './find-route.js';

/** Calls a minute, by what a route does. */
export interface Limits {
  readonly read: number;
  readonly write: number;
}

/** The operations that one kind of key opens, and their limits. A key of another kind counts as none. */
export interface Gate<Holder extends KeyHolder, Served extends Operation> {
  readonly operations: readonly Served[];
  readonly keys: KeyRing<Holder>;
  /** Refuses a caller who sent no well-formed key. */
  readonly missingKey: string;
  /** Refuses a key that is not known; `invalid_api_key` when absent. */
  readonly unknownKey?: ErrorCode;
  /** Calls a minute of a key to one operation. Paths without an operation count together, as one read. */
  readonly limits: Limits;
  /** Calls a minute of an address to all operations together, whatever the keys; no limit when absent. */
  readonly limitsOfAddress?: Limits;
  /** Whether a POST has to name a version, which no page of another origin can. */
  readonly refusesOtherPages?: boolean;
  /** Lets the holder of a key call an operation, on a project and as an actor. Throws the refusal. */
  admit(holder: Holder, matched: MatchedRoute<Served>): Promise<Admitted>;
}

/** As whom a caller runs an operation. */
interface Admitted {
  readonly actor: string | null;
  /** Parameters that the gate adds to the call. */
  readonly call: Pick<OperationCall, 'project'> & { readonly caller?: CustomerCaller };
}

/** The routes under `/v1`, `/checkout/v1` and `/portal/v1`, which an API key opens for its project. */
export function contractGate(
  { store, lacks, clock }: Service,
  operations: readonly Operation[],
): Gate<{ readonly key: ApiKey; readonly project: Project }, Operation> {
  return {
    operations,
    keys: {
      prefix: API_KEY,
      clock,
      async find(hash) {
        const holder = await store.findApiKey(hash);
        return holder === null || isExpired(holder.key, clock.now()) ? null : holder;
      },
      touch: async ({ id }, at) => {
        if (!lacks.has('ManagementStore')) await store.touchApiKey(id, at);
      },
    },
    missingKey: ERRORS.missing_api_key.message,
    limits: LIMITS.callsPerMinute,
    admit: async ({ project }) => ({ actor: null, call: { project } }),
  };
}

/** The routes under `/manage/v1`, which a management key opens for any project. */
export function managementGate(
  service: Service,
  operations: readonly Operation[],
): Gate<{ readonly key: ManagementKey }, Operation> {
  const { store, wallClock } = service;
  return {
    operations,
    keys: {
      prefix: MANAGEMENT_KEY,
      clock: wallClock,
      async find(hash) {
        const key = await store.findManagementKey(hash);
        return key === null ? null : { key };
      },
      touch: ({ id }, at) => store.touchManagementKey(id, at),
    },
    missingKey: 'No well-formed management key was sent. Send it as "Authorization: Bearer SUBM_...".',
    limits: LIMITS.managementCallsPerMinute,
    async admit({ key }, { operation, parameters: { project } }) {
      if (operation.method === 'POST' && key.access === 'read')
        throw new ServiceError('forbidden', { message: 'This management key may only read.' });
      const actor = `${key.name} (${key.id})`;
      return {
        actor,
        call: project === undefined ? {} : { project: await requireProject(service, project) },
      };
    },
  };
}

/** The routes under `/customer/v1`, which the secret of a session opens for its customer. */
export function customerGate(
  { store, clock }: Service,
  operations: readonly Operation[],
): Gate<{ readonly key: SessionKey; readonly session: Session; readonly project: Project }, Operation> {
  return {
    operations,
    keys: {
      prefix: SESSION_SECRET,
      clock,
      async find(hash) {
        const found = await store.findSessionBySecret(hash);
        return found && { ...found, key: { id: found.session.id, lastUsedAt: null } };
      },
      touch: () => Promise.resolve(),
    },
    missingKey: 'No well-formed secret of a session was sent. Send it as "Authorization: Bearer chs_...".',
    unknownKey: 'invalid_session',
    limits: LIMITS.customerCallsPerMinute,
    limitsOfAddress: LIMITS.customerCallsPerMinuteOfAddress,
    refusesOtherPages: true,
    admit: async ({ session, project }) => ({
      actor: null,
      call: { project, caller: callerOfSession(project, session) },
    }),
  };
}

/** A session as a key. Its uses are not stored. */
interface SessionKey {
  readonly id: Session['id'];
  readonly lastUsedAt: null;
}
