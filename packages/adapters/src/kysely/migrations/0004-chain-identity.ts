/** Stores which chain the records belong to. The table has one row. */
export const chainIdentity: readonly string[] = [
  `create table chain_identity (
    id integer primary key,
    genesis_hash text not null,
    network text not null,
    charger text not null
  )`,
];
