/** The words of a migration that differ by engine: triggers, and the fill of a page. */
export type SqlDialect = 'sqlite' | 'postgres';

/** A statement for every engine, or those of each. */
export type MigrationStep = string | Readonly<Record<SqlDialect, readonly string[]>>;

export type Migrations = Readonly<Record<string, readonly MigrationStep[]>>;

/** The type of a text column. No column has the name `text`. */
const TEXT_COLUMN = /\btext\b/g;

/** The statements for an engine, which adds its collation: a migration that ran is never edited. */
export function forEngine(
  migrations: Migrations,
  { dialect, textCollation }: { readonly dialect: SqlDialect; readonly textCollation: string | null },
): Readonly<Record<string, readonly string[]>> {
  const collated = (statement: string) =>
    textCollation !== null && /^(create table|alter table \w+ add column) /.test(statement)
      ? statement.replace(TEXT_COLUMN, `text collate "${textCollation}"`)
      : statement;
  const statementsOf = (step: MigrationStep) => (typeof step === 'string' ? [collated(step)] : step[dialect]);
  return Object.fromEntries(
    Object.entries(migrations).map(([name, steps]) => [name, steps.flatMap(statementsOf)]),
  );
}
