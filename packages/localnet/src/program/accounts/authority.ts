import type { Address } from '@solana/kit';
import { refuse } from '../errors.js';
import { i64, key, struct, u8 } from '../layout.js';

export const AUTHORITY_DISCRIMINATOR = 0;

/**
 * A SubscriptionAuthority account: the delegate of one wallet's token account of one mint
 * (program#subscription-authority-layout).
 */
export interface SubscriptionAuthority {
  readonly discriminator: number;
  readonly user: Address;
  readonly mint: Address;
  /** The key that paid the account's rent. */
  readonly payer: Address;
  readonly bump: number;
  /** The generation of the authority: the slot of its creation. */
  readonly initId: bigint;
}

export const authorityLayout = struct<SubscriptionAuthority>({
  discriminator: u8,
  user: key,
  mint: key,
  payer: key,
  bump: u8,
  initId: i64,
});

/**
 * Decodes an account's data. Refuses another length with 111, then another discriminator with 117
 * (program#account-loading-errors).
 */
export function loadAuthority(data: Uint8Array): SubscriptionAuthority {
  if (data.length !== authorityLayout.size) refuse('InvalidAccountData');
  if (data[0] !== AUTHORITY_DISCRIMINATOR) refuse('InvalidAccountDiscriminator');
  return authorityLayout.decode(data);
}
