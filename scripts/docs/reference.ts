import type { JsonSchema, OpenApiDocument } from '../../packages/core/src/index.js';

type Path = OpenApiDocument['paths'][string];
type Operation = NonNullable<Path[keyof Path]>;
type Content = Operation['responses'][string]['content'];

const cell = (text: string): string => text.replaceAll('|', '\\|');

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  return [headings, headings.map(() => '---'), ...rows]
    .map((row) => `| ${row.map(cell).join(' | ')} |`)
    .join('\n');
}

const schemaName = (ref: string): string => ref.split('/').at(-1) ?? ref;

const fieldName = (name: string, { required = [] }: JsonSchema): string =>
  `\`${name}\`${required.includes(name) ? '' : ' (optional)'}`;

function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) {
    const name = schemaName(schema.$ref);
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

function fieldTable(schema: JsonSchema): string {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    fieldName(name, schema),
    typeOf(field),
    field.description ?? '',
  ]);
  return table(['Field', 'Type', 'Meaning'], rows);
}

function routeSection(verb: string, path: string, operation: Operation): string {
  const parameters = operation.parameters.flatMap((parameter) => ('name' in parameter ? [parameter] : []));
  const body = operation.requestBody?.content['application/json']?.schema;
  const responses = Object.entries(operation.responses).map(([status, { description, content }]) => {
    const codes = errorsOf(content)
      .map(({ code }) => `\`${code}\``)
      .join(', ');
    return [
      status,
      codes === '' ? typeOf(content?.['application/json']?.schema ?? {}) || description : codes,
    ];
  });
  return [
    `### ${verb.toUpperCase()} ${path}`,
    operation.summary,
    table(
      ['Parameter', 'In', 'Type', 'Meaning'],
      parameters.map((parameter) => [
        `\`${parameter.name}\`${parameter.required ? '' : ' (optional)'}`,
        parameter.in,
        typeOf(parameter.schema),
        parameter.description,
      ]),
    ),
    body === undefined ? '' : `Body: ${typeOf(body)}.`,
    table(['Status', 'Answer or codes'], responses),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

interface ErrorExample {
  readonly code: string;
  readonly message: string | string[];
  readonly retryable: boolean;
}

/** The examples of a response that are errors, each with its description in the document. */
const errorsOf = (content: Content) =>
  Object.values(content?.['application/json']?.examples ?? {}).flatMap(({ value, description: note }) =>
    'code' in (value as object) ? [{ ...(value as ErrorExample), note }] : [],
  );

/** Every error code of the document with its status and message. */
function errorTable({ paths }: OpenApiDocument): string {
  const found = new Map<string, readonly string[]>();
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const [status, { content }] of Object.entries(operation.responses)) {
      for (const { code, message, retryable, note } of errorsOf(content)) {
        const text = [message, note ?? []].flat().join(' ');
        found.set(code, [`\`${code}\``, status, retryable ? 'yes' : 'no', text]);
      }
    }
  }
  const sorted = [...found.values()].sort((one, other) => (one.join() < other.join() ? -1 : 1));
  return table(['Code', 'Status', 'Retryable', 'Message, unless the answer gives a more exact one'], sorted);
}

/** The reference page, generated from the OpenAPI document. */
export function referencePage(document: OpenApiDocument): string {
  const { info, paths, webhooks, components } = document;
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([verb, operation]) => routeSection(verb, path, operation)),
  );
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const body = post.requestBody?.content['application/json']?.schema;
    const detail = body?.allOf?.[1]?.properties?.['detail'];
    return [`\`${type}\``, detail === undefined ? '' : typeOf(detail), post.description ?? ''];
  });
  const objects = Object.entries(components.schemas).map(([name, schema]) =>
    [`### ${name}`, schema.description ?? '', fieldTable(schema) || typeOf(schema)]
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
    errorTable(document),
    '## Objects',
    ...objects,
  ].join('\n\n')}\n`;
}
