import type { z } from 'zod';

import type { ErrorCode } from '../contract/errors.js';
import type { LIMITS } from '../contract/limits.js';
import type { Project } from '../records/index.js';
import type { Service } from '../service.js';

/** What `run` of an operation receives: the service, the parsed input, and the parameters that the caller named. */
export type Call<Parameter extends string, Input> = {
  readonly service: Service;
  readonly input: Input;
} & ('project' extends Parameter ? { readonly project: Project } : unknown) & {
    readonly [Name in Exclude<Parameter, 'project'>]: string;
  };

/** An operation's parsed input; undefined for an operation that takes none. */
type Parsed<Input> = Input extends z.ZodType ? z.output<Input> : undefined;

/** What every operation declares, whoever may call it. */
interface Declared<Name extends string, Input extends z.ZodType | null, Output extends z.ZodType> {
  /**
   * The one name of the operation, `group.member`: the member of `Billing`, the `operationId` of the OpenAPI document,
   * and the name in logs.
   */
  readonly name: Name;
  /** What it does, in a sentence or two for the documents. */
  readonly summary: string;
  /**
   * The query of a GET, the body of a POST, the last argument in process. Null for an operation that takes no input.
   */
  readonly input: Input;
  readonly output: Output;
  /** The code that refuses a path parameter which names nothing; null for an operation without such a parameter. */
  readonly notFound: ErrorCode | null;
  /** The codes it answers besides `notFound` and those that every route can answer. */
  readonly errors: readonly ErrorCode[];
}

/** An operation of the service: everything that the in-process functions, the router and the documents need to know. */
export interface Operation extends Declared<string, z.ZodType | null, z.ZodType> {
  /** Who may call it: the holder of an API key, for the key's project, or only whoever runs the service. */
  readonly scope: 'project' | 'management';
  /** What the caller names before the input, in this order. `project` is resolved to its record before `run`. */
  readonly parameters: readonly string[];
  run(call: { readonly service: Service; readonly input: unknown }): Promise<unknown>;
}

/** An operation whose name, parameters and schemas the compiler knows. */
export interface TypedOperation<
  Name extends string,
  Parameters extends readonly string[],
  Input extends z.ZodType | null,
  Output extends z.ZodType,
> extends Declared<Name, Input, Output> {
  readonly scope: 'project' | 'management';
  readonly parameters: Parameters;
  run(call: Call<Parameters[number], Parsed<Input>>): Promise<z.output<Output>>;
}

/** How an operation is served over HTTP. */
export interface Route<Path extends string> {
  /** A HEAD request is answered as the GET of its path, without the body. */
  readonly method: 'GET' | 'POST';
  /** From `/v1` on, with at most one `{parameter}`. */
  readonly path: Path;
  /** The class of the rate limit that a call counts against. */
  readonly limit: keyof typeof LIMITS.callsPerMinute;
  /** The status of a success. */
  readonly status: 200 | 201 | 202;
}

/** An operation of the contract: it has a route under `/v1`, and works on the project of the caller's API key. */
export interface RoutedOperation extends Operation, Route<string> {
  readonly scope: 'project';
}

/** The parameter of a path, as a list of none or one. */
type PathParameter<Path extends string> = Path extends `${string}{${infer Parameter}}${string}`
  ? readonly [Parameter]
  : readonly [];

type ProjectParameters<Path extends string> = readonly ['project', ...PathParameter<Path>];

/**
 * Declares an operation. With scope `project` its parameters are the project and the parameter of its path; with scope
 * `management` it lists them, for it has no route yet.
 *
 * To add an operation, declare it in the `operations.ts` of its group, and add its function to the interface of the
 * group in the folder `billing`: `billing.ts` does not compile until the two agree. A new group also goes into
 * `operations/table.ts`, which lists the groups, and into `Billing`.
 */
export function operation<
  const Name extends string,
  const Path extends string,
  Input extends z.ZodType | null,
  Output extends z.ZodType,
>(
  declared: Declared<Name, Input, Output> &
    Route<Path> & {
      readonly scope: 'project';
      run(call: Call<ProjectParameters<Path>[number], Parsed<Input>>): Promise<z.output<Output>>;
    },
): TypedOperation<Name, ProjectParameters<Path>, Input, Output> & Route<Path> & { readonly scope: 'project' };
export function operation<
  const Name extends string,
  const Parameters extends readonly ('project' | 'id' | 'slug')[],
  Input extends z.ZodType | null,
  Output extends z.ZodType,
>(
  declared: Declared<Name, Input, Output> & {
    readonly scope: 'management';
    readonly parameters: Parameters;
    run(call: Call<Parameters[number], Parsed<Input>>): Promise<z.output<Output>>;
  },
): TypedOperation<Name, Parameters, Input, Output>;
export function operation(declared: object & { readonly path?: string }): object {
  return { parameters: ['project', ...parametersOf(declared.path ?? '')], ...declared };
}

function parametersOf(path: string): readonly string[] {
  const parameter = /\{(\w+)\}/.exec(path)?.[1];
  return parameter === undefined ? [] : [parameter];
}

/** The codes that every operation with a route can answer. */
const ANY_ROUTE: readonly ErrorCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'invalid_request',
  'unsupported_version',
  'payload_too_large',
  'rate_limited',
  'internal_error',
  'unavailable',
];

/** Every code that the route of an operation can answer. */
export function codesOf({ notFound, errors }: Operation): readonly ErrorCode[] {
  return [...ANY_ROUTE, ...(notFound === null ? [] : [notFound]), ...errors];
}
