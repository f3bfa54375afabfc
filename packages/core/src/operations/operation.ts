import type * as z from 'zod';

import type { ErrorCode } from '../contract/errors.js';
import { ExportText } from '../contract/export-format.js';
import type { Project } from '../records/index.js';
import type { Service } from '../service.js';

/** The service, the parsed input, and the parameters that the caller named. */
type Call<Parameter extends string, Input> = {
  readonly service: Service;
  readonly input: Input;
} & ('project' extends Parameter ? { readonly project: Project } : unknown) & {
    readonly [Name in Exclude<Parameter, 'project'>]: string;
  };

/** An operation's parsed input; undefined for an operation that takes none. */
type Parsed<Input> = Input extends z.ZodType ? z.output<Input> : undefined;

/** An operation of the service, as functions, routers and documents need it. */
export interface Operation {
  /**
   * `group.member`: the member of `Billing`, the `operationId` of the OpenAPI document, and the name in logs.
   */
  readonly name: string;
  /**
   * The callers: holders of an API key, for the key's project; operators; anybody, for a wallet; customers,
   * by a session or by the log-in of an app; or visitors of a plan link.
   */
  readonly scope: 'project' | 'management' | 'wallet' | 'customer' | 'visitor';
  /** HEAD is answered as GET, without the body. A rate limit counts a GET as a read, a POST as a write. */
  readonly method: 'GET' | 'POST';
  /** Whether a GET reads the chain for many subscriptions, so that a rate limit counts it as a write. */
  readonly readsChain: boolean;
  /**
   * From `/v1`, `/checkout/v1`, `/portal/v1`, `/manage/v1`, `/wallet/v1` or `/customer/v1` on, with
   * `{parameter}` where a caller names something.
   */
  readonly path: string;
  /** The status of a success. */
  readonly status: 200 | 201 | 202;
  /** The arguments before the input, in this order. `project` is resolved to its record before `run`. */
  readonly parameters: readonly string[];
  /** The query of a GET, the body of a POST, the last argument in process. Null without an input. */
  readonly input: z.ZodType | null;
  readonly output: z.ZodType;
  /** The code for a path parameter that names nothing; null without such a parameter. */
  readonly notFound: ErrorCode | null;
  /** The codes it answers besides `notFound` and those that every route can answer. */
  readonly errors: readonly ErrorCode[];
  /** A sentence or two for the documents. */
  readonly summary: string;
  run(call: { readonly service: Service; readonly input: unknown }): Promise<unknown>;
}

/** An operation as its group declares it: the group and the member that it is there give it its name. */
export interface Declaration<Signature, Scope extends Operation['scope'] = Operation['scope']> extends Omit<
  Operation,
  'name'
> {
  readonly scope: Scope;
  /** The type of the function in process, for the compiler alone: no declaration has a value of it. */
  readonly signature?: Signature;
}

/** The paths that an API key opens, for its project: those of the contract, and those that make sessions. */
type PathOfKey = `/v1/${string}` | `/checkout/v1/${string}` | `/portal/v1/${string}`;

/** The parameters of a path in order. For an API key, the project of the key comes first. */
type ParametersOf<Path extends string> = Path extends PathOfKey
  ? readonly ['project', ...NamedIn<Path>]
  : NamedIn<Path>;
type NamedIn<Path extends string> = Path extends `${string}{${infer Parameter}}${infer Rest}`
  ? readonly [Parameter, ...NamedIn<Rest>]
  : readonly [];

type ScopeOf<Path extends string> = Path extends PathOfKey
  ? 'project'
  : Path extends `/wallet/${string}`
    ? 'wallet'
    : 'management';

/** The arguments of the function in process: what the path names besides the project, and the input. */
type ArgumentsOf<Parameters, Input> = Parameters extends readonly ['project', ...infer Others]
  ? ArgumentsOf<Others, Input>
  : [...Texts<Parameters>, ...InputArgument<Input>];
type Texts<Parameters> = Parameters extends readonly [string, ...infer Others]
  ? [string, ...Texts<Others>]
  : [];

/** The input is optional when the schema accepts its absence. */
type InputArgument<Input> = Input extends z.ZodType
  ? undefined extends z.input<Input>
    ? [input?: z.input<Input>]
    : [input: z.input<Input>]
  : [];

/** The function that the path and the schemas of an operation make. */
type FunctionOf<Path extends string, Input, Output extends z.ZodType> = (
  ...args: ArgumentsOf<ParametersOf<Path>, Input>
) => Promise<z.output<Output>>;

/** A signature as one function: of several overloads, the last one. */
type LastOverload<Signature> = Signature extends (...args: infer Args) => infer Answer
  ? (...args: Args) => Answer
  : never;

type Same<One, Other> =
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- T makes the comparison exact
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false;

/** The scope of a path, by its first segment. */
const SCOPES: Readonly<Record<string, Operation['scope']>> = {
  v1: 'project',
  checkout: 'project',
  portal: 'project',
  manage: 'management',
  wallet: 'wallet',
};

/**
 * A declaration. The defaults: `status` 200, no input, no code for a missing resource, no other codes, and no
 * read of the chain for many.
 */
type Declared<
  Signature,
  Path extends string,
  Input extends z.ZodType | null,
  Output extends z.ZodType,
> = Pick<Operation, 'method' | 'summary'> &
  Partial<Pick<Operation, 'status' | 'notFound' | 'errors' | 'readsChain'>> & {
    readonly path: Path;
    readonly input?: Input;
    readonly output: Output;
    run(call: Call<ParametersOf<Path>[number], Parsed<Input>>): Promise<z.output<Output>>;
  } & (Same<LastOverload<Signature>, FunctionOf<Path, Input, Output>> extends true
    ? unknown
    : { readonly signature: FunctionOf<Path, Input, Output> });

/**
 * Declares an operation in its group, under the docblock that an editor shows of its function. `Signature` is
 * that function; it does not compile unless path and schemas make the same one. A path under `/v1`,
 * `/checkout/v1` or `/portal/v1` works on the project of the caller's API key, and one under `/manage/v1` on
 * `{project}`, if any. GET reads; POST is a change, which the audit log keeps. A path under
 * `/wallet/v1/{wallet}` needs no key, so its operation shows public facts only, and changes nothing without
 * the wallet's signature.
 */
export function operation<Signature>() {
  return <
    const Path extends PathOfKey | `/manage/v1/${string}` | `/wallet/v1/{wallet}/${string}`,
    Output extends z.ZodType,
    Input extends z.ZodType | null = null,
  >(
    declared: Declared<Signature, Path, Input, Output>,
  ): Declaration<Signature, ScopeOf<Path>> => {
    const inPath = Array.from(declared.path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
    const scope = SCOPES[declared.path.split('/')[1] ?? ''];
    const parameters = scope === 'project' ? ['project', ...inPath] : inPath;
    const absent = { status: 200, input: null, notFound: null, errors: [], readsChain: false };
    return { ...absent, ...declared, scope, parameters } as never;
  };
}

/** Whether an operation answers with a file, in parts of a text. */
export function isExport({ output }: Pick<Operation, 'output'>): boolean {
  return output === ExportText;
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

/** The codes of any route that the routes of a scope do not answer, or answer as others. */
const NEVER: Readonly<Partial<Record<Operation['scope'], readonly ErrorCode[]>>> = {
  wallet: ['missing_api_key', 'invalid_api_key', 'unsupported_version'],
  customer: ['invalid_api_key'],
  visitor: ['missing_api_key', 'invalid_api_key'],
};

/** Every code that the route of an operation can answer. */
export function codesOf(operation: Operation): readonly ErrorCode[] {
  const { scope, notFound, errors } = operation;
  const common = ANY_ROUTE.filter((code) => NEVER[scope]?.includes(code) !== true);
  const own = [...(notFound === null ? [] : [notFound]), ...errors];
  return [...new Set([...common, ...codesOfManagement(operation), ...own])];
}

/** Whether an operation makes or reads sessions and links for the holder of an API key. */
export function isOfSessions({ path }: Pick<Operation, 'path'>): boolean {
  return /^\/(checkout|portal)\//.test(path);
}

/** The codes for a key that may only read, an unknown project, and a store that lacks a capability. */
function codesOfManagement({ path, method, scope }: Operation): readonly ErrorCode[] {
  if (scope === 'customer') return ['invalid_session', 'not_supported'];
  if (scope === 'wallet' || scope === 'visitor' || isOfSessions({ path })) return ['not_supported'];
  if (!path.startsWith('/manage/')) return [];
  return [
    'not_supported',
    ...(method === 'POST' ? (['forbidden'] as const) : []),
    ...(path.includes('{project}') ? (['not_found'] as const) : []),
  ];
}
