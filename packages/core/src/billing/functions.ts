import { Nothing } from '../contract/requests.js';
import { validated } from '../contract/validation-messages.js';
import type { Project } from '../records/index.js';
import type { Service } from '../service.js';
import { requireProject } from '../operations/require.js';
import type { ServiceGroups } from '../management/table.js';
import type { Declaration, Operation } from '../operations/operation.js';
import { runOperation } from '../operations/run-operation.js';
import { PROJECT_OPERATIONS, SERVICE_OPERATIONS, type ProjectGroups } from '../operation-table.js';

/** The functions of a group of operations. Each keeps the docblock of its declaration. */
type FunctionsOf<Group> = {
  readonly [Member in keyof Group]: Group[Member] extends Declaration<infer Signature> ? Signature : never;
};

type GroupsOf<Groups> = { readonly [Group in keyof Groups]: FunctionsOf<Groups[Group]> };

/** The functions that belong to no project. */
export type ServiceFunctions = GroupsOf<ServiceGroups>;

/**
 * One project as functions. Each validates its input, and throws a `ServiceError` when it refuses, such as
 * `not_found` without such a project. Amounts are text in the token's smallest unit; dates are ISO 8601 text
 * in UTC.
 */
export interface ProjectBilling
  extends FunctionsOf<ProjectGroups['projects']>, GroupsOf<Omit<ProjectGroups, 'projects'>> {}

/**
 * Makes the functions of the operations that belong to no project. Each takes the operation's parameters and
 * then its input.
 */
export function serviceFunctions(service: Service): ServiceFunctions {
  const caller = () => Promise.resolve({ service });
  return Object.fromEntries(
    Array.from(callsOf(SERVICE_OPERATIONS), ([group, calls]) => [group, bound(calls, caller)]),
  ) as never;
}

/**
 * Returns the functions of a project by its id. Each reads the project first, and is refused with `not_found`
 * when there is none. A group is made at its first use: a server may call `billing.project` for each request.
 */
export function projectFunctions(service: Service): (projectId: string) => ProjectBilling {
  class OneProject {
    readonly #id: string;

    constructor(id: string) {
      this.#id = id;
    }

    static {
      const define = (name: string, made: (caller: () => Promise<Caller>) => unknown) =>
        Object.defineProperty(this.prototype, name, {
          get(this: OneProject) {
            return made(async () => ({ service, project: await requireProject(service, this.#id) }));
          },
        });
      const { projects = {}, ...groups } = Object.fromEntries(callsOf(PROJECT_OPERATIONS));
      for (const [group, calls] of Object.entries(groups)) define(group, (caller) => bound(calls, caller));
      for (const member of Object.keys(projects)) define(member, (caller) => bound(projects, caller)[member]);
    }
  }
  return (projectId) => new OneProject(projectId) as never;
}

/** On whose behalf an operation runs. */
interface Caller {
  readonly service: Service;
  readonly project?: Project;
}

/** Runs an operation with its arguments: the parameters besides the project, and then the input. */
type Call = (caller: Caller, args: readonly unknown[]) => Promise<unknown>;

/** The calls of one group, by member. */
type Calls = Readonly<Record<string, Call>>;

function callsOf(operations: readonly Operation[]): ReadonlyMap<string, Calls> {
  const groups = new Map<string, Calls>();
  for (const operation of operations) {
    const [group = '', member = ''] = operation.name.split('.');
    groups.set(group, { ...groups.get(group), [member]: callOf(operation) });
  }
  return groups;
}

function callOf(operation: Operation): Call {
  const names = operation.parameters.filter((name) => name !== 'project');
  return async (caller, args) => {
    const named = Object.fromEntries(names.map((name, index) => [name, String(args[index])]));
    const input = validated(operation.input ?? Nothing, operation.input === null ? {} : args[names.length]);
    return runOperation(operation, { ...named, ...caller, input }, actorOf(operation, caller));
  };
}

/** The actor of the audit log. A function of the contract is logged only by a service that has an actor. */
function actorOf({ scope }: Operation, { service: { actor } }: Caller): string | null {
  return actor ?? (scope === 'management' ? 'process' : null);
}

/** The functions of one group. Each looks its caller up when it is called. */
function bound(calls: Calls, caller: () => Promise<Caller>) {
  const functions: Record<string, (...args: unknown[]) => Promise<unknown>> = {};
  for (const [member, call] of Object.entries(calls))
    functions[member] = async (...args) => call(await caller(), args);
  return functions;
}
