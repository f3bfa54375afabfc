/** The language of an engine where engines differ: in triggers, and in how full a page is filled. */
export type SqlDialect = 'sqlite' | 'postgres';

/** A statement that every engine runs, or those that each of them runs in its place. */
export type MigrationStep = string | Readonly<Record<SqlDialect, readonly string[]>>;

/** Migrations by name, in order. */
export type Migrations = Readonly<Record<string, readonly MigrationStep[]>>;

/** A column of text where a table is created or a column is added. No column has the name `text`. */
const TEXT_COLUMN = /\btext\b/g;

/**
 * The statements of each migration for an engine. Those that name a column of text are written without a collation, because a
 * migration that ran is never edited; an engine that needs one gets it here.
 */
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
