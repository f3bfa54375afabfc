const SQLITE_PEERS = ['better-sqlite3', 'kysely'];

const POSTGRES_PEERS = ['pg', 'kysely'];

const SOLANA_PEERS = ['@solana/kit'];

export function loadSqlite() {
  return withPeers(() => import('../sqlite/index.js'), 'A SQLite database', SQLITE_PEERS);
}

export function loadPostgres() {
  return withPeers(() => import('../postgres/index.js'), 'A Postgres database', POSTGRES_PEERS);
}

export function loadSolana() {
  return withPeers(() => import('../solana/index.js'), 'The Solana chain', SOLANA_PEERS);
}

/** Loads a module. A missing peer dependency becomes a sentence with the packages to install. */
export async function withPeers<Module>(
  load: () => Promise<Module>,
  what: string,
  peers: readonly string[],
): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const missing = missingPackage(cause);
    if (missing === null || !peers.includes(missing)) throw cause;
    throw new Error(
      `${what} needs the package ${missing}, which is not installed. Run: npm install ${peers.join(' ')}`,
      { cause },
    );
  }
}

/** The package that Node did not find; null for any other error. */
function missingPackage(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return null;
  return /package '([^']+)'/.exec(error.message)?.[1] ?? null;
}
