import { ServiceError } from '../contract/errors.js';
import { Unavailable } from '../ports/unavailable.js';
import { UnreadableFigures } from '../ports/unreadable-figures.js';
import { newId, type AuditEntry, type AuditEntryOutcome, type Project } from '../records/index.js';
import type { Service } from '../service.js';
import type { Operation } from './operation.js';

/** The service, the parsed input, the project if the operation works on one, and the named parameters. */
export interface OperationCall {
  readonly service: Service;
  readonly input: unknown;
  readonly project?: Project;
  readonly [parameter: string]: unknown;
}

/**
 * Runs an operation for an actor; null for a customer. The audit log, if the store has one, gets a change
 * before it takes effect, and its outcome after it (management#audit-log).
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
  const parameter = operation.parameters.find((name) => name !== 'project');
  const entry: AuditEntry = {
    id: newId(service.random, 'aud'),
    createdAt: service.wallClock.now(),
    actor,
    operation: operation.name,
    projectId: project?.id ?? null,
    subject: parameter === undefined ? null : String(call[parameter]),
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
  if (thrown instanceof UnreadableFigures)
    return new ServiceError('internal_error', { message: thrown.message, cause: thrown });
  return new ServiceError('internal_error', { cause: thrown });
}

/** Whether an error is a failure of the service, and no refusal. `not_supported` is a refusal. */
export function isFailure({ status, code }: ServiceError): boolean {
  return status >= 500 && code !== 'not_supported';
}

/** Writes the outcome of an entry. A failure is logged, and the caller gets the answer all the same. */
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

/** The subject of a change that made something: the slug of its answer, or else the id. */
function idOf(result: unknown): string | null {
  const { id, slug } = (result ?? {}) as { readonly id?: unknown; readonly slug?: unknown };
  const name = slug ?? id;
  return typeof name === 'string' ? name : null;
}
