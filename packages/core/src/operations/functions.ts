import type * as z from 'zod';

import { Nothing } from '../contract/requests.js';
import { validated } from '../contract/validated.js';
import type { Project } from '../records/index.js';
import type { Service } from '../service.js';
import { findProject } from './find-project.js';
import { groupsOf, isOfProject } from './groups.js';
import type { Operation, TypedOperation } from './operation.js';
import { runOperation } from './run-operation.js';

/** The last argument of an operation in process: its input. It is optional when the schema accepts its absence. */
type InputArgument<Input> = Input extends z.ZodType
  ? undefined extends z.input<Input>
    ? [input?: z.input<Input>]
    : [input: z.input<Input>]
  : [];

type ParameterValues<Parameters> = {
  -readonly [Index in keyof Parameters]: string;
};

type WithoutProject<Parameters> = Parameters extends readonly ['project', ...infer Others]
  ? Others
  : Parameters;

type FunctionOf<Declared> =
  Declared extends TypedOperation<string, infer Parameters, infer Input, infer Output>
    ? (
        ...args: [...ParameterValues<WithoutProject<Parameters>>, ...InputArgument<Input>]
      ) => Promise<z.output<Output>>
    : never;

type GroupOf<Name> = Name extends `${infer Group}.${string}` ? Group : never;
type MemberOf<Name> = Name extends `${string}.${infer Member}` ? Member : never;

/** The functions of operations, grouped by their names: `functions[group][member]`. */
type GroupsOf<Declared extends Operation> = {
  readonly [Group in GroupOf<Declared['name']>]: {
    [
      One in Extract<Declared, { readonly name: `${Group}.${string}` }> as MemberOf<One['name']>
    ]: FunctionOf<One>;
  };
};

/** The operations of a table that belong to one project: it is the first thing that their callers name. */
type OfProject<Table extends readonly Operation[]> = Extract<
  Table[number],
  { readonly parameters: readonly ['project', ...string[]] }
>;

/** The functions that belong to no project. */
export type ServiceFunctionsOf<Table extends readonly Operation[]> = GroupsOf<
  Exclude<Table[number], OfProject<Table>>
>;

/** The functions of one project. Those of the project itself are in the group `projects`. */
export type ProjectFunctionsOf<Table extends readonly Operation[]> = GroupsOf<OfProject<Table>>;

/**
 * Makes the in-process functions of the operations that belong to no project. Each takes the operation's parameters and
 * then its input, validates the input, and runs the operation.
 */
export function serviceFunctions<const Table extends readonly Operation[]>(
  service: Service,
  table: Table,
): ServiceFunctionsOf<Table> {
  const groups = callsOf(table.filter((operation) => !isOfProject(operation)));
  const caller = () => Promise.resolve({ service });
  return Object.fromEntries(
    Array.from(groups, ([name, calls]) => [name, bound(calls, caller)]),
  ) as unknown as ServiceFunctionsOf<Table>;
}

/**
 * Makes a function that returns one group of in-process functions of a project. Each of these reads the project first, and
 * is refused with `not_found` when there is none. What does not depend on the project is made once, because a server may
 * call `billing.project` for each request.
 */
export function projectFunctions<const Table extends readonly Operation[]>(
  service: Service,
  table: Table,
): <Group extends GroupOf<OfProject<Table>['name']>>(
  projectId: string,
  group: Group,
) => ProjectFunctionsOf<Table>[Group] {
  const groups = callsOf(table.filter(isOfProject));
  return (projectId, group) =>
    bound(groups.get(group) ?? [], async () => ({
      service,
      project: await findProject(service, projectId),
    })) as never;
}

/** On whose behalf an operation runs. */
interface Caller {
  readonly service: Service;
  readonly project?: Project;
}

/** Runs an operation with the arguments of its function: the parameters besides the project, and then the input. */
type Call = (caller: Caller, args: readonly unknown[]) => Promise<unknown>;

/** The calls of one group, by member. */
type Calls = readonly (readonly [member: string, call: Call])[];

function callsOf(table: readonly Operation[]): ReadonlyMap<string, Calls> {
  return new Map(
    Array.from(groupsOf(table), ([group, members]) => [
      group,
      members.map(([member, operation]) => [member, callOf(operation)] as const),
    ]),
  );
}

function callOf(operation: Operation): Call {
  const names = operation.parameters.filter((name) => name !== 'project');
  return async (caller, args) => {
    const named = Object.fromEntries(names.map((name, index) => [name, String(args[index])]));
    const input = validated(operation.input ?? Nothing, operation.input === null ? {} : args[names.length]);
    return runOperation(operation, { ...named, ...caller, input }, actorOf(operation, caller));
  };
}

/** Who acts in the audit log. A function of the contract is an act only of a service that has an actor. */
function actorOf({ scope }: Operation, { service: { actor } }: Caller): string | null {
  return actor ?? (scope === 'management' ? 'process' : null);
}

/** The functions of one group. Each looks its caller up when it is called. */
function bound(calls: Calls, caller: () => Promise<Caller>) {
  const functions: Record<string, (...args: unknown[]) => Promise<unknown>> = {};
  for (const [member, call] of calls) functions[member] = async (...args) => call(await caller(), args);
  return functions;
}
