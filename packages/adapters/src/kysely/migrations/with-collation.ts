type Migrations = Readonly<Record<string, readonly string[]>>;

/** A column of text where a table is created or a column is added. No column has the name `text`. */
const TEXT_COLUMN = /\btext\b/g;

/**
 * The migrations with a collation for every column of text. A migration that ran is never edited, so they are written for engines
 * that need none.
 *
 * @param collation null for an engine that needs none
 */
export function withCollation(migrations: Migrations, collation: string | null): Migrations {
  if (collation === null) return migrations;
  const collated = (statement: string) =>
    /^(create table|alter table \w+ add column) /.test(statement)
      ? statement.replace(TEXT_COLUMN, `text collate "${collation}"`)
      : statement;
  return Object.fromEntries(
    Object.entries(migrations).map(([name, statements]) => [name, statements.map(collated)]),
  );
}
