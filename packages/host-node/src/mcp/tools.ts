import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { managementDocument, type JsonSchema, type OpenApiOperation } from '@subrail/core';
import { FACTS } from './facts.js';

/** A tool of an assistant, and the operation of management that it calls. */
export interface ManagementTool {
  /** The tool as assistants see it. */
  readonly tool: Tool;
  /** The group and the member of the function, such as `reports` and `upcoming`. */
  readonly group: string;
  readonly member: string;
  /** Whether it changes nothing. */
  readonly reads: boolean;
  /** Whether it works on a project. */
  readonly ofProject: boolean;
  /** The parameters of its path besides the project, in order. */
  readonly parameters: readonly string[];
  /** Whether it takes an input besides. */
  readonly takesInput: boolean;
}

/**
 * Every operation of management as a tool, but for those that answer with a file: an assistant reads the
 * lists that these are made of. The document of the routes is made from the table of operations, so each
 * operation becomes a tool without another line (management#tools-for-assistants). Its description is the
 * docblock of the operation.
 */
export function managementTools(): readonly ManagementTool[] {
  return Object.values(managementDocument().paths).flatMap(({ get, post }) => [
    ...(get === undefined || isFile(get) ? [] : [toolOf(get, true)]),
    ...(post === undefined ? [] : [toolOf(post, false)]),
  ]);
}

function isFile(operation: OpenApiOperation): boolean {
  return successOf(operation).content?.['application/json'] === undefined;
}

function toolOf(operation: OpenApiOperation, reads: boolean): ManagementTool {
  const { operationId, summary } = operation;
  const [group = '', member = ''] = operationId.split('.');
  const named = operation.parameters.flatMap((one) => ('name' in one ? [one] : []));
  const inPath = named.filter((one) => one.in === 'path');
  const input = inputOf(operation);
  const { content } = successOf(operation);
  const properties = {
    ...Object.fromEntries(
      inPath.map(({ name, description }) => [
        name,
        { type: 'string', description: name === 'project' ? PROJECT : description },
      ]),
    ),
    ...input?.properties,
  };
  const required = [
    ...inPath.map(({ name }) => name).filter((name) => name !== 'project'),
    ...(input?.required ?? []),
  ];
  return {
    tool: {
      // Models take names of letters, digits, _ and - only.
      name: operationId.replace('.', '_'),
      title: titleOf(group, member),
      description: FACTS[operationId] ?? summary,
      inputSchema: objectOf(plain({ properties, required, additionalProperties: false })),
      outputSchema: objectOf(plain(content?.['application/json']?.schema ?? {})),
      annotations: {
        readOnlyHint: reads,
        // What only makes something new leaves everything else as it is.
        destructiveHint: !reads && !('201' in operation.responses),
        idempotentHint: reads,
      },
    },
    group,
    member,
    reads,
    ofProject: inPath.some(({ name }) => name === 'project'),
    parameters: inPath.map(({ name }) => name).filter((name) => name !== 'project'),
    takesInput: input !== null,
  };
}

const PROJECT = 'The id of the project. It may be left out where there is only one.';

/** The fields of the query or the body; null when it takes neither. */
function inputOf({
  parameters,
  requestBody,
}: OpenApiOperation): Pick<JsonSchema, 'properties' | 'required'> | null {
  if (requestBody !== undefined) return requestBody.content['application/json']?.schema ?? null;
  const query = parameters.flatMap((one) => ('name' in one && one.in === 'query' ? [one] : []));
  if (query.length === 0) return null;
  return {
    properties: Object.fromEntries(
      query.map(({ name, description, schema }) => [
        name,
        description === '' ? schema : { ...schema, description },
      ]),
    ),
    required: query.filter((one) => one.required).map(({ name }) => name),
  };
}

function successOf({ responses }: OpenApiOperation) {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  if (success === undefined) throw new TypeError('An operation has no answer for a success.');
  return success;
}

/** `subscriptions.confirmCancel` as `Subscriptions: confirm cancel`. */
function titleOf(group: string, member: string): string {
  const words = member.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${group.slice(0, 1).toUpperCase()}${group.slice(1)}: ${words}`;
}

/** A schema without patterns: languages differ in them, and the service checks every text itself. */
function plain(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'pattern' && typeof value === 'string' ? undefined : value,
    ),
  ) as JsonSchema;
}

/** A schema of objects: a list is the field of one. */
function objectOf(schema: JsonSchema): Tool['inputSchema'] {
  return schema.type === 'array'
    ? { type: 'object', properties: { data: schema }, required: ['data'] }
    : { ...schema, type: 'object' };
}

/** The answer of an operation as the object that its tool answers. */
export function answerOf(result: unknown): Record<string, unknown> {
  if (Array.isArray(result)) return { data: result };
  return (result ?? {}) as Record<string, unknown>;
}
