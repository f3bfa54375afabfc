import {
  type Address,
  type FixedSizeDecoder,
  type ReadonlyUint8Array,
  fixCodecSize,
  getAddressCodec,
  getArrayCodec,
  getBytesCodec,
  getI64Codec,
  getStructDecoder,
  getU64Codec,
  getU8Codec,
} from '@solana/kit';
import { SYSTEM_PROGRAM } from './addresses.js';

/** The most destinations, and the most pullers, of a plan. */
export const MAX_WALLETS = 4;
export const MAX_METADATA_BYTES = 128;

export const key = getAddressCodec();
export const u8 = getU8Codec();
export const u64 = getU64Codec();
export const i64 = getI64Codec();
/** A list of four wallets. An empty slot is 32 zero bytes, which is also the system program's address. */
export const fourKeys = getArrayCodec(key, { size: MAX_WALLETS });
export const metadataUri = fixCodecSize(getBytesCodec(), MAX_METADATA_BYTES);

const authorityLayout = getStructDecoder([
  ['discriminator', u8],
  ['user', key],
  ['mint', key],
  ['payer', key],
  ['bump', u8],
  ['initId', i64],
]);

/** The fields of a plan that its creation names. */
export const PLAN_FIELDS = [
  ['planId', u64],
  ['mint', key],
  ['amount', u64],
  ['periodHours', u64],
  ['createdAt', i64],
  ['endTs', i64],
  ['destinations', fourKeys],
  ['pullers', fourKeys],
  ['metadataUri', metadataUri],
] as const;

const planLayout = getStructDecoder([
  ['discriminator', u8],
  ['owner', key],
  ['bump', u8],
  ['status', u8],
  ...PLAN_FIELDS,
]);

const subscriptionLayout = getStructDecoder([
  ['discriminator', u8],
  ['version', u8],
  ['bump', u8],
  ['delegator', key],
  ['delegatee', key],
  ['payer', key],
  ['initId', i64],
  ['amount', u64],
  ['periodHours', u64],
  ['planCreatedAt', i64],
  ['pulled', u64],
  ['periodStart', i64],
  ['expiresAt', i64],
]);

/** The offset of a subscription's plan, its `delegatee`. */
export const PLAN_OF_SUBSCRIPTION_AT = 35n;

/** The fields of a subscription authority, under the names of the program. */
export type AuthorityAccount = ReturnType<typeof authorityLayout.decode>;
/** The fields of a plan, under the names of the program. */
export type PlanAccount = ReturnType<typeof planLayout.decode>;
/** The fields of a subscription, under the names of the program. */
export type SubscriptionAccount = ReturnType<typeof subscriptionLayout.decode>;

/** Decodes an authority; null for another kind or too few bytes. Bytes beyond the layout are ignored. */
export function decodeAuthority(data: ReadonlyUint8Array): AuthorityAccount | null {
  return decodeKind(authorityLayout, 0, data);
}

/** Decodes a plan; null for another kind or too few bytes. Bytes beyond the layout are ignored. */
export function decodePlan(data: ReadonlyUint8Array): PlanAccount | null {
  return decodeKind(planLayout, 1, data);
}

/** Decodes a subscription of version 1; null for other data. Bytes beyond the layout are ignored. */
export function decodeSubscription(data: ReadonlyUint8Array): SubscriptionAccount | null {
  const account = decodeKind(subscriptionLayout, 4, data);
  return account?.version === 1 ? account : null;
}

export function withoutEmptySlots(wallets: readonly Address[]): Address[] {
  return wallets.filter((wallet) => wallet !== SYSTEM_PROGRAM);
}

function decodeKind<T>(
  layout: FixedSizeDecoder<T>,
  discriminator: number,
  data: ReadonlyUint8Array,
): T | null {
  if (data.length < layout.fixedSize || data[0] !== discriminator) return null;
  return layout.decode(data);
}
