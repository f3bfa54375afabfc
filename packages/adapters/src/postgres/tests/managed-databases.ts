/** An address as a managed database or a framework hands it out, and what becomes of it. */
export interface ManagedAddress {
  readonly whose: string;
  /** What follows the name of the database. */
  readonly search: string;
  /** Null: the address is refused with this. */
  readonly refused?: RegExp;
  readonly connectMs?: number;
  readonly prepares?: boolean;
  /** The parameters that the log calls ignored. */
  readonly ignored?: readonly string[];
}

const PRISMA_POOL = ['connection_limit', 'pool_timeout'];

export const MANAGED_ADDRESSES: readonly ManagedAddress[] = [
  { whose: 'Neon', search: '?sslmode=require&channel_binding=require', ignored: ['channel_binding'] },
  {
    whose: 'Neon, for a client that sends no name in TLS',
    search: '?sslmode=require&options=endpoint%3Dep-cool-darkness-123456',
  },
  {
    whose: 'Neon, that starts first',
    search: '?sslmode=require&channel_binding=require&connect_timeout=15',
    connectMs: 15_000,
    ignored: ['channel_binding'],
  },
  { whose: 'Supabase, in the mode of transactions', search: '?pgbouncer=true', prepares: false },
  {
    whose: 'Supabase, for a function',
    search: '?pgbouncer=true&connection_limit=1',
    prepares: false,
    ignored: ['connection_limit'],
  },
  {
    whose: 'Supabase through Vercel',
    search: '?sslmode=require&supa=base-pooler.x',
    ignored: ['supa'],
  },
  {
    whose: 'Supabase, with the project in the options',
    search: '?options=reference%3Dabcdefghijklmnop',
  },
  {
    whose: 'Vercel Postgres for Prisma',
    search: '?pgbouncer=true&connect_timeout=15',
    connectMs: 15_000,
    prepares: false,
  },
  {
    whose: 'Prisma',
    search: '?schema=public&connection_limit=5&pool_timeout=10&socket_timeout=30&statement_cache_size=0',
    prepares: false,
    ignored: ['schema', ...PRISMA_POOL, 'socket_timeout'],
  },
  { whose: 'Prisma, with another schema', search: '?schema=billing', refused: /^has a value of schema/ },
  { whose: 'Heroku, Render and Aiven', search: '?sslmode=require' },
  { whose: 'Fly', search: '?sslmode=disable' },
  {
    whose: 'Amazon RDS, as its guide for libpq has it',
    search:
      '?sslmode=verify-full&connect_timeout=3&keepalives=1&keepalives_idle=1&keepalives_interval=1&keepalives_count=5',
    connectMs: 3_000,
    ignored: ['keepalives', 'keepalives_idle', 'keepalives_interval', 'keepalives_count'],
  },
  {
    whose: 'Patroni, with one host',
    search: '?target_session_attrs=read-write',
    ignored: ['target_session_attrs'],
  },
  {
    whose: 'Patroni, for readers',
    search: '?target_session_attrs=standby',
    refused: /^has a value of target_session_attrs .*: any, read-write, primary\.$/,
  },
  {
    whose: 'Azure',
    search: '?sslmode=require&application_name=billing&gssencmode=disable',
    ignored: ['application_name', 'gssencmode'],
  },
  { whose: 'a Go program', search: '?sslmode=disable&client_encoding=UTF8', ignored: ['client_encoding'] },
  {
    whose: 'Neon, without encryption',
    search: '?channel_binding=require',
    refused: /^has channel_binding=require, and no sslmode .*: add sslmode=verify-full\.$/,
  },
  {
    whose: 'a cluster of CockroachDB',
    search: '?options=--cluster%3Dbilling-1234',
    refused: /^has the parameter options/,
  },
  {
    whose: 'somebody who sets a search path',
    search: '?options=-c%20search_path%3Dbilling',
    refused: /^has the parameter options/,
  },
  { whose: 'SQLAlchemy', search: '?prepared_statement_cache_size=0', refused: /does not exist/ },
  { whose: 'Npgsql', search: '?Pooling=false', refused: /^has the parameter Pooling, which does not exist/ },
  { whose: 'node-postgres', search: '?ssl=true', refused: /^has the parameter ssl, which does not exist/ },
  { whose: 'a slip', search: '?connect_timeout=soon', refused: /^has a value of connect_timeout/ },
  { whose: 'a slip of case', search: '?PgBouncer=true', refused: /^has the parameter PgBouncer, which does/ },
];
