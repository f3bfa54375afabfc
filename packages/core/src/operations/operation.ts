import type * as z from 'zod';

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

/** How an operation is served over HTTP. */
export interface Route<Path extends string> {
  /** A HEAD request is answered as the GET of its path, without the body. */
  readonly method: 'GET' | 'POST';
  /** From `/v1`, `/manage/v1` or `/wallet/v1` on, with `{parameter}` where a caller names something. */
  readonly path: Path;
  /** The status of a success. */
  readonly status: 200 | 201 | 202;
}

/** An operation of the service: everything that the in-process functions, the routers and the documents need to know. */
export interface Operation extends Declared<string, z.ZodType | null, z.ZodType>, Route<string> {
  /**
   * Who may call it: the holder of an API key, for the key's project; only whoever runs the service; or anybody, for a wallet.
   */
  readonly scope: 'project' | 'management' | 'wallet';
  /** What the caller names before the input, in this order. `project` is resolved to its record before `run`. */
  readonly parameters: readonly string[];
  run(call: { readonly service: Service; readonly input: unknown }): Promise<unknown>;
}

/** An operation of the contract: its route is under `/v1`, and it works on the project of the caller's API key. */
export interface ContractOperation extends Operation {
  readonly scope: 'project';
  /** The class of the rate limit that a call counts against. */
  readonly limit: keyof typeof LIMITS.callsPerMinute;
}

/** An operation whose name, parameters and schemas the compiler knows. */
export interface TypedOperation<
  Name extends string,
  Parameters extends readonly string[],
  Input extends z.ZodType | null,
  Output extends z.ZodType,
>
  extends Declared<Name, Input, Output>, Route<string> {
  readonly scope: Operation['scope'];
  readonly parameters: Parameters;
  run(call: Call<Parameters[number], Parsed<Input>>): Promise<z.output<Output>>;
}

/** The parameters of a path, in their order. */
type PathParameters<Path extends string> = Path extends `${string}{${infer Parameter}}${infer Rest}`
  ? readonly [Parameter, ...PathParameters<Rest>]
  : readonly [];

/** Of an operation of the contract, the project comes first, which its caller's key names. */
type ContractParameters<Path extends string> = readonly ['project', ...PathParameters<Path>];

/**
 * Declares an operation. With scope `project` its path begins with `/v1`, and it works on the project of the caller's API key.
 * With scope `management` the path begins with `/manage/v1`, and names the project as `{project}` when it works on one. A GET
 * reads. A POST is an act, which the audit log keeps. With scope `wallet` the path begins with `/wallet/v1/{wallet}`: anybody may
 * call it, so it says and does nothing that anybody may not.
 *
 * To add an operation, declare it in the `operations.ts` of its group, and add its function to the interface of the
 * group in the folder `billing`: `billing.ts` does not compile until the two agree. A new group also goes into
 * `operations/table.ts`, which lists the groups, and into `Billing`.
 */
export function operation<
  const Name extends string,
  const Path extends `/v1/${string}`,
  Input extends z.ZodType | null,
  Output extends z.ZodType,
>(
  declared: Declared<Name, Input, Output> &
    Route<Path> &
    Pick<ContractOperation, 'scope' | 'limit'> & {
      run(call: Call<ContractParameters<Path>[number], Parsed<Input>>): Promise<z.output<Output>>;
    },
): TypedOperation<Name, ContractParameters<Path>, Input, Output> & Pick<ContractOperation, 'scope' | 'limit'>;
export function operation<
  const Name extends string,
  const Path extends `/manage/v1/${string}` | `/wallet/v1/{wallet}/${string}`,
  Input extends z.ZodType | null,
  Output extends z.ZodType,
>(
  declared: Declared<Name, Input, Output> &
    Route<Path> & {
      readonly scope: Path extends `/wallet/${string}` ? 'wallet' : 'management';
      run(call: Call<PathParameters<Path>[number], Parsed<Input>>): Promise<z.output<Output>>;
    },
): TypedOperation<Name, PathParameters<Path>, Input, Output>;
export function operation(
  declared: object & { readonly scope: Operation['scope']; readonly path: string },
): object {
  const parameters = Array.from(declared.path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
  return { parameters: declared.scope === 'project' ? ['project', ...parameters] : parameters, ...declared };
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

/** Those of them that a route without a key and a version never answers. */
const NOT_FOR_WALLETS: ReadonlySet<ErrorCode> = new Set([
  'missing_api_key',
  'invalid_api_key',
  'unsupported_version',
]);

/** Every code that the route of an operation can answer. */
export function codesOf(operation: Operation): readonly ErrorCode[] {
  const { scope, notFound, errors } = operation;
  const common = scope === 'wallet' ? ANY_ROUTE.filter((code) => !NOT_FOR_WALLETS.has(code)) : ANY_ROUTE;
  const own = [...(notFound === null ? [] : [notFound]), ...errors];
  return [...new Set([...common, ...codesOfManagement(operation), ...own])];
}

/** The codes with which management refuses a key that may only read, and a project that does not exist. */
function codesOfManagement({ path, method }: Operation): readonly ErrorCode[] {
  if (!path.startsWith('/manage/')) return [];
  return [
    ...(method === 'POST' ? (['forbidden'] as const) : []),
    ...(path.includes('{project}') ? (['not_found'] as const) : []),
  ];
}
