import { ServiceError } from '../contract/errors.js';
import { Unavailable } from '../ports/unavailable.js';
import { newId, type AuditEntry, type AuditEntryOutcome, type Project } from '../records/index.js';
import type { Service } from '../service.js';
import type { Operation } from './operation.js';

/** What an operation runs with: the service, the input, the project if it works on one, and the named parameters. */
export interface OperationCall {
  readonly service: Service;
  readonly input: unknown;
  readonly project?: Project;
  readonly [parameter: string]: unknown;
}

/**
 * Runs an operation for an actor. A change has its entry in the audit log before it takes effect, and the entry its outcome after it
 * (management#audit-log), unless the store has no log. `actor` is null for a caller who does not manage: a customer's action
 * has no entry.
 */
export function runOperation(
  operation: Operation,
  call: OperationCall,
  actor: string | null,
): Promise<unknown> {
  const details = call.project === undefined ? {} : { details: { project: call.project.id } };
  return call.service.telemetry.span({ kind: 'operation', name: operation.name, ...details }, async (end) => {
    await call.service.lookups.compareClock();
    try {
      return await runLogged(operation, call, actor);
    } catch (error) {
      const thrown = serviceErrorOf(error);
      end({ outcome: thrown.code, failed: isFailure(thrown) });
      throw error;
    }
  });
}

async function runLogged(operation: Operation, call: OperationCall, actor: string | null): Promise<unknown> {
  const { service, project } = call;
  if (operation.method === 'GET' || actor === null || service.lacks.has('ManagementStore'))
    return operation.run(call);
  const named = operation.parameters.find((parameter) => parameter !== 'project');
  const entry: AuditEntry = {
    id: newId(service.random, 'aud'),
    createdAt: service.wallClock.now(),
    actor,
    operation: operation.name,
    projectId: project?.id ?? null,
    subject: named === undefined ? null : String(call[named]),
    input: call.input,
    outcome: null,
  };
  await service.store.insertAuditEntry(entry);
  try {
    const result = await operation.run(call);
    await complete(service, entry, entry.subject ?? idOf(result), { state: 'done', code: null });
    return result;
  } catch (error) {
    const thrown = serviceErrorOf(error);
    const state = isFailure(thrown) ? 'failed' : 'refused';
    await complete(service, entry, entry.subject, { state, code: thrown.code });
    throw error;
  }
}

/** The error of the contract for what an operation threw. */
export function serviceErrorOf(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof Unavailable) return new ServiceError('unavailable', { cause: thrown });
  return new ServiceError('internal_error', { cause: thrown });
}

/** Whether an error is a failure of the service. A refusal is none, also of what its store cannot do. */
export function isFailure({ status, code }: ServiceError): boolean {
  return status >= 500 && code !== 'not_supported';
}

/** Writes the outcome of an entry. The caller gets the answer also when the outcome cannot be written, and the entry then has none. */
async function complete(
  { store, wallClock, logger }: Service,
  { id }: AuditEntry,
  subject: string | null,
  outcome: Omit<AuditEntryOutcome, 'endedAt'>,
): Promise<void> {
  await store
    .completeAuditEntry(id, subject, { ...outcome, endedAt: wallClock.now() })
    .catch((error: unknown) =>
      logger.warn({ audit_entry: id, err: error }, 'The outcome of an audit entry could not be stored.'),
    );
}

/** The subject of a change that made something: the slug of its answer, or else the id, as later entries name it. */
function idOf(result: unknown): string | null {
  const { id, slug } = (result ?? {}) as { readonly id?: unknown; readonly slug?: unknown };
  const name = slug ?? id;
  return typeof name === 'string' ? name : null;
}
