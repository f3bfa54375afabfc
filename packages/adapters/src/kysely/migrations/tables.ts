export interface SchemaTable {
  readonly name: string;
  readonly columns: readonly SchemaColumn[];
  /** Primary and foreign keys, such as `primary key (id)`. */
  readonly keys: readonly string[];
}

interface SchemaColumn {
  readonly name: string;
  /** The type with its constraints, such as `integer not null default 0`. */
  readonly definition: string;
}

/** Definitions by column name; a key of several columns has its list under `primary key`. */
type Lines = Map<string, string>;

const KEY_OF_SEVERAL = 'primary key';

export function schemaTables(statements: readonly string[]): readonly SchemaTable[] {
  const tables = new Map<string, Lines>();
  for (const statement of statements) apply(statement, tables);
  return [...tables].map(([name, lines]) => ({ name, columns: columnsOf(lines), keys: keysOf(lines) }));
}

function apply(statement: string, tables: Map<string, Lines>): void {
  const [, verb, table = '', rest = ''] = /^(create|alter) table (\w+)\s*(.*)$/s.exec(statement) ?? [];
  const lines = tables.get(table) ?? new Map<string, string>();
  if (verb === 'create') {
    const body = rest.replace(/^\(|\)$/g, '').split(/,\n/);
    tables.set(table, new Map(body.map((line) => namedLine(line.trim()))));
  }
  const [, column] = /^add column (.*)$/s.exec(rest) ?? [];
  if (column !== undefined) lines.set(...namedLine(column));
}

function namedLine(line: string): [name: string, rest: string] {
  const [, name = '', rest = ''] = /^(primary key|\w+) (.*)$/s.exec(line) ?? [];
  return [name, rest];
}

function columnsOf(lines: Lines): readonly SchemaColumn[] {
  const columns = [...lines].filter(([name]) => name !== KEY_OF_SEVERAL);
  return columns.map(([name, line]) => {
    const [type] = /^\w+( collate "\w+")?/.exec(line) ?? [];
    const isRequired = /\b(not null|primary key)\b/.test(line);
    const [value] = /\bdefault \S+/.exec(line) ?? [];
    return { name, definition: [type, isRequired && 'not null', value].filter(Boolean).join(' ') };
  });
}

function keysOf(lines: Lines): readonly string[] {
  return [...lines].flatMap(([name, line]) => {
    if (name === KEY_OF_SEVERAL) return [`primary key ${line}`];
    const [references] = /\breferences .*$/.exec(line) ?? [];
    return [
      ...(line.includes('primary key') ? [`primary key (${name})`] : []),
      ...(references === undefined ? [] : [`foreign key (${name}) ${references}`]),
    ];
  });
}
