import type { z } from 'zod';

import { ServiceError } from '../contract/errors.js';
import { Nothing } from '../contract/requests.js';
import { validated } from '../contract/validated.js';
import { quoted } from '../contract/validation-messages.js';
import type { Project, ProjectId } from '../records/index.js';
import type { Service } from '../service.js';
import type { Operation, TypedOperation } from './operation.js';

/** The last argument of an operation in process: its input. It is optional when the schema accepts its absence. */
type InputArgument<Input> = Input extends z.ZodType
  ? undefined extends z.input<Input>
    ? [input?: z.input<Input>]
    : [input: z.input<Input>]
  : [];

type ParameterValues<Parameters extends readonly string[]> = {
  -readonly [Index in keyof Parameters]: string;
};

type FunctionOf<Declared> =
  Declared extends TypedOperation<string, infer Parameters, infer Input, infer Output>
    ? (...args: [...ParameterValues<Parameters>, ...InputArgument<Input>]) => Promise<z.output<Output>>
    : never;

type GroupOf<Name> = Name extends `${infer Group}.${string}` ? Group : never;
type MemberOf<Name> = Name extends `${string}.${infer Member}` ? Member : never;

/** The functions of a table of operations: `functions[group][member]`. */
export type FunctionsOf<Table extends readonly Operation[]> = {
  readonly [Group in GroupOf<Table[number]['name']>]: {
    [
      Declared in Extract<Table[number], { readonly name: `${Group}.${string}` }> as MemberOf<
        Declared['name']
      >
    ]: FunctionOf<Declared>;
  };
};

/**
 * Makes the in-process functions of a table of operations. Each takes the operation's parameters and then its input,
 * finds the project, validates the input, and runs the operation.
 */
export function functionsOf<const Table extends readonly Operation[]>(
  service: Service,
  table: Table,
): FunctionsOf<Table> {
  const groups: Record<string, Record<string, (...args: unknown[]) => Promise<unknown>>> = {};
  for (const operation of table) {
    const [group = '', member = ''] = operation.name.split('.');
    groups[group] = { ...groups[group], [member]: (...args) => run(service, operation, args) };
  }
  return groups as FunctionsOf<Table>;
}

async function run(service: Service, operation: Operation, args: readonly unknown[]): Promise<unknown> {
  const { parameters } = operation;
  const parameterValues = Object.fromEntries(parameters.map((name, index) => [name, String(args[index])]));
  const project =
    parameterValues['project'] === undefined
      ? undefined
      : await findProject(service, parameterValues['project']);
  const input = validated(
    operation.input ?? Nothing,
    operation.input === null ? {} : args[parameters.length],
  );
  return operation.run({ ...parameterValues, service, ...(project && { project }), input });
}

async function findProject({ store }: Service, id: string): Promise<Project> {
  const project = await store.findProject(id as ProjectId);
  if (project === null)
    throw new ServiceError('not_found', { message: `There is no project ${quoted(id)}.` });
  return project;
}
