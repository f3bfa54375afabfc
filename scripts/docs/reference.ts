import type {
  OpenApiContent,
  JsonSchema,
  OpenApiDocument,
  OpenApiOperation,
} from '../../packages/core/src/index.js';

const cell = (text: string): string => text.replaceAll('|', '\\|');

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  return [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
}

const named = (ref: string): string => ref.split('/').at(-1) ?? ref;

const fieldName = (name: string, { required = [] }: JsonSchema): string =>
  `\`${name}\`${required.includes(name) ? '' : ' (optional)'}`;

/** A schema's type in a few words. */
function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) {
    const name = named(schema.$ref);
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  if ('const' in schema) return `\`${String(schema['const'])}\``;
  const branches = schema.anyOf ?? schema.allOf;
  if (branches !== undefined) return branches.map(typeOf).join(' or ');
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  if (schema.properties !== undefined) {
    const fields = Object.entries(schema.properties).map(
      ([name, field]) => `${fieldName(name, schema)}: ${typeOf(field)}`,
    );
    return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
  }
  return [schema.type ?? 'any'].flat().join(' or ');
}

function fields(schema: JsonSchema): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    fieldName(name, schema),
    typeOf(field),
    field.description ?? '',
  ]);
  return table(['Field', 'Type', 'Meaning'], rows);
}

function route(verb: string, path: string, operation: OpenApiOperation): string {
  const parameters = operation.parameters.flatMap((given) => ('name' in given ? [given] : []));
  const body = operation.requestBody?.content['application/json'].schema;
  const answers = Object.entries(operation.responses).map(([status, { description, content }]) => {
    const told = codesOf(content)
      .map(({ code }) => `\`${code}\``)
      .join(', ');
    return [status, told === '' ? typeOf(content?.['application/json'].schema ?? {}) || description : told];
  });
  return [
    `### ${verb.toUpperCase()} ${path}`,
    operation.summary,
    table(
      ['Parameter', 'In', 'Type', 'Meaning'],
      parameters.map((given) => [
        `\`${given.name}\`${given.required ? '' : ' (optional)'}`,
        given.in,
        typeOf(given.schema),
        given.description,
      ]),
    ),
    body === undefined ? '' : `Body: ${typeOf(body)}.`,
    table(['Status', 'Answer or codes'], answers),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

interface Refusal {
  readonly code: string;
  readonly message: string | string[];
  readonly retryable: boolean;
  /** What the document says of the example itself. */
  readonly note: string | undefined;
}

/** The errors among the examples of an answer. */
function codesOf(content: OpenApiContent | undefined): readonly Refusal[] {
  return Object.values(content?.['application/json'].examples ?? {}).flatMap(({ value, description }) =>
    'code' in (value as object) ? [{ ...(value as Omit<Refusal, 'note'>), note: description }] : [],
  );
}

/** Every code of the document with its status and sentence. */
function codes({ paths }: OpenApiDocument): string {
  const found = new Map<string, readonly string[]>();
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      for (const { code, message, retryable, note } of codesOf(content)) {
        const told = [message, note ?? []].flat().join(' ');
        found.set(code, [`\`${code}\``, status, retryable ? 'yes' : 'no', told]);
      }
    }
  }
  const sorted = [...found.values()].sort((one, other) => (one.join() < other.join() ? -1 : 1));
  return table(['Code', 'Status', 'Retryable', 'Message'], sorted);
}

/** The contract as a page for people, made from the OpenAPI document. */
export function referencePage(document: OpenApiDocument): string {
  const { info, paths, webhooks, components } = document;
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, operation]) => route(verb, path, operation)),
  );
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const body = post.requestBody?.content['application/json'].schema;
    const detail = body?.allOf?.[1]?.properties?.['detail'];
    return [`\`${type}\``, detail === undefined ? '' : typeOf(detail), post.description ?? ''];
  });
  const objects = Object.entries(components.schemas).map(([name, schema]) =>
    [`### ${name}`, schema.description ?? '', fields(schema) || typeOf(schema)]
      .filter((part) => part !== '')
      .join('\n\n'),
  );
  return `${[
    '# Reference',
    `Made by \`npm run docs\` from [the OpenAPI document](openapi.json). Version ${info.version}.`,
    info.description,
    'Every call carries the API key: `Authorization: Bearer SUB_...`.',
    '## Routes',
    ...routes,
    '## Webhooks',
    'The body is an [Event](#event); `detail` by type:',
    table(['Event', 'detail', 'Note'], events),
    '## Errors',
    codes(document),
    '## Objects',
    ...objects,
  ].join('\n\n')}\n`;
}
