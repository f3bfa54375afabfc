import { ServiceError } from '../contract/errors.js';
import { Unavailable } from '../ports/unavailable.js';
import { newId, type Act, type ActOutcome, type Project } from '../records/index.js';
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
 * Runs an operation for an actor. An act of management is in the audit log before it takes effect, and its outcome is written after
 * it (management#audit-log), unless the store keeps none. `actor` is null for a caller who does not manage: a customer's action is no act.
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
      return await runAct(operation, call, actor);
    } catch (error) {
      const thrown = serviceErrorOf(error);
      end({ outcome: thrown.code, failed: isFailure(thrown) });
      throw error;
    }
  });
}

async function runAct(operation: Operation, call: OperationCall, actor: string | null): Promise<unknown> {
  const { service, project } = call;
  if (operation.method === 'GET' || actor === null || service.lacks.has('ManagementStore'))
    return operation.run(call);
  const named = operation.parameters.find((parameter) => parameter !== 'project');
  const act: Act = {
    id: newId(service.random, 'act'),
    createdAt: service.wallClock.now(),
    actor,
    operation: operation.name,
    projectId: project?.id ?? null,
    subject: named === undefined ? null : String(call[named]),
    input: call.input,
    outcome: null,
  };
  await service.store.insertAct(act);
  try {
    const result = await operation.run(call);
    await settle(service, act, act.subject ?? idOf(result), { state: 'done', code: null });
    return result;
  } catch (error) {
    const thrown = serviceErrorOf(error);
    const state = isFailure(thrown) ? 'failed' : 'refused';
    await settle(service, act, act.subject, { state, code: thrown.code });
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

/** Writes how an act ended. When that cannot be written the act stays without an outcome, and its caller gets the answer. */
async function settle(
  { store, wallClock, logger }: Service,
  { id }: Act,
  subject: string | null,
  outcome: Omit<ActOutcome, 'endedAt'>,
): Promise<void> {
  await store
    .settleAct(id, subject, { ...outcome, endedAt: wallClock.now() })
    .catch((error: unknown) =>
      logger.warn({ act: id, err: error }, 'How an act of management ended could not be stored.'),
    );
}

/** What an act made, as later acts on it name it: by the slug that its answer has, or else the id. */
function idOf(result: unknown): string | null {
  const { id, slug } = (result ?? {}) as { readonly id?: unknown; readonly slug?: unknown };
  const name = slug ?? id;
  return typeof name === 'string' ? name : null;
}
