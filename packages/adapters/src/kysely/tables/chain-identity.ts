import type { ChainIdentity } from '@subrail/core/ports';
import type { Network } from '@subrail/core/schemas';
import { text } from '../codec/codec.js';
import { recordTable } from './record-table.js';

/** The id of the only row. */
const ONLY_ROW = 1;

export const chainIdentityTable = recordTable<ChainIdentity>()(
  'chain_identity',
  { genesisHash: text(), network: text<Network>(), charger: text() },
  { id: () => ONLY_ROW },
);
