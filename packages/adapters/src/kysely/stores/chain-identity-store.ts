import type { ChainIdentityStore } from '@subrail/core/ports';
import type { Handle, Session } from '../query/session.js';
import { pick, prepare } from '../query/statement.js';
import { chainIdentityTable } from '../tables/projects.js';
import type { RowOf } from '../tables/record-table.js';

export function chainIdentityStore(db: Handle): (session: Session) => ChainIdentityStore {
  const insertIfNone = prepare((values: RowOf<typeof chainIdentityTable>) =>
    db
      .insertInto('chain_identity')
      .values(pick(values, chainIdentityTable.columns))
      .onConflict((conflict) => conflict.column('id').doNothing()),
  );
  const find = prepare(
    () => db.selectFrom('chain_identity').select(chainIdentityTable.selection()),
    chainIdentityTable.decoder(),
  );

  return ({ handle }) => ({
    async claimChainIdentity(identity) {
      await insertIfNone.write(handle, chainIdentityTable.encode(identity));
      return (await find.first(handle, {})) ?? identity;
    },
  });
}
