import type { ChainIdentityStore } from '@subrail/core/ports';
import type { Handle, Session } from '../query/session.js';
import { pick, prepare } from '../query/statement.js';
import { chainIdentityTable } from '../tables/chain-identity.js';

const readIdentity = chainIdentityTable.decoder();

/** The chain that the records belong to. */
export function chainIdentityStore(db: Handle): (session: Session) => ChainIdentityStore {
  const insertIfNone = prepare((values: ReturnType<typeof chainIdentityTable.encode>) =>
    db
      .insertInto('chain_identity')
      .values(pick(values, chainIdentityTable.columns))
      .onConflict((conflict) => conflict.column('id').doNothing()),
  );
  const find = prepare(() => db.selectFrom('chain_identity').select(chainIdentityTable.selection()));

  return ({ handle }) => ({
    async claimChainIdentity(identity) {
      await insertIfNone.write(handle, chainIdentityTable.encode(identity));
      const row = await find.first(handle, {});
      return row === null ? identity : readIdentity(row);
    },
  });
}
