import type { ChainIdentityStore } from '@subrail/core/ports';
import type { Tables } from '../tables.js';

export function chainIdentityStore({ chainIdentity }: Tables): ChainIdentityStore {
  return {
    async claimChainIdentity(identity) {
      chainIdentity.insert([identity]);
      return chainIdentity.all()[0] ?? identity;
    },
  };
}
