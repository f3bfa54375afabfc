import type { ApiKeyId, ManagementKeyId } from '@subrail/core/ports';
import type { Handle } from '../query/session.js';
import { prepare } from '../query/statement.js';

interface KeyAt {
  readonly id: ApiKeyId | ManagementKeyId;
  readonly at: number;
}

/** The writes that API keys and management keys have in common. */
export function keyWrites(db: Handle, table: 'api_keys' | 'management_keys') {
  return {
    touchKey: prepare(({ id, at }: KeyAt) =>
      db
        .updateTable(table)
        .set({ last_used_at: at })
        .where('id', '=', id)
        .where((key) => key.or([key('last_used_at', 'is', null), key('last_used_at', '<', at)])),
    ),
    revokeKey: prepare(({ id, at }: KeyAt) =>
      db.updateTable(table).set({ revoked_at: at }).where('id', '=', id).where('revoked_at', 'is', null),
    ),
  };
}
