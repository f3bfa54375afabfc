import {
  type Address,
  type ReadonlyUint8Array,
  addDecoderSizePrefix,
  getAddressDecoder,
  getAddressEncoder,
  getProgramDerivedAddress,
  getStructDecoder,
  getU32Decoder,
  getUtf8Decoder,
  address,
} from '@solana/kit';
import type { ChainResult, NamedMint } from '@subrail/core/ports';
import type { Account, ReadAccounts } from '../rpc/accounts.js';
import { EXTENSION, type Extensions, readMint, readMintExtensions } from './token-accounts.js';

/** The program whose accounts name the tokens of mints that have no place for a name. */
const METADATA_PROGRAM = address('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');
const METADATA_V1 = 4;
const POINTED_OFFSET = 32;

const key = getAddressDecoder();
const text = addDecoderSizePrefix(getUtf8Decoder(), getU32Decoder());
/** The start of a mint's metadata: its extension or, after a byte of its kind, an account of its own. */
const metadataLayout = getStructDecoder([
  ['updateAuthority', key],
  ['mint', key],
  ['name', text],
  ['symbol', text],
]);

async function metadataAddress(mint: Address): Promise<Address> {
  const encode = (of: Address) => getAddressEncoder().encode(of);
  const seeds = ['metadata', encode(METADATA_PROGRAM), encode(mint)];
  const [derived] = await getProgramDerivedAddress({ programAddress: METADATA_PROGRAM, seeds });
  return derived;
}

/** Reads a mint with how it calls its token, in one call; null when it is no mint. */
export async function readNamedMint(
  mint: Address,
  readAccounts: ReadAccounts,
): Promise<ChainResult<NamedMint | null>> {
  const metadata = await metadataAddress(mint);
  const read = await readAccounts([mint, metadata], 'confirmed');
  if (!read.ok) return read;
  const [account = null, named = null] = read.value.accounts;
  const view = readMint(account);
  const extensions = account === null ? null : readMintExtensions(account);
  if (view === null || extensions === null) return { ok: true, value: null };
  const scaled = extensions.has(EXTENSION.interestBearing) || extensions.has(EXTENSION.scaledAmount);
  const names = readTokenNames(mint, extensions, { address: metadata, account: named });
  return { ok: true, value: { ...view, scaled, names } };
}

/**
 * Reads the names of a mint's token (program#token-names), from the mint or from its metadata account. A
 * pointer in the mint says which; the default is the metadata account.
 */
function readTokenNames(
  mint: Address,
  extensions: Extensions,
  metadata: { readonly address: Address; readonly account: Account | null },
): NamedMint['names'] {
  const pointer = extensions.get(EXTENSION.metadataPointer);
  const pointed = pointer === undefined ? metadata.address : key.read(pointer, POINTED_OFFSET)[0];
  if (pointed === mint) return decodeNames(extensions.get(EXTENSION.tokenMetadata), mint);
  if (pointed !== metadata.address || metadata.account?.owner !== METADATA_PROGRAM) return null;
  const { data } = metadata.account;
  return data[0] === METADATA_V1 ? decodeNames(data.slice(1), mint) : null;
}

/** Decodes the names of a mint; null for none, for another mint's, and for names that are cut off. */
function decodeNames(data: ReadonlyUint8Array | undefined, mint: Address): NamedMint['names'] {
  if (data === undefined) return null;
  try {
    const decoded = metadataLayout.decode(data);
    // The metadata program fills its texts up with zeros, which the decoder of UTF-8 leaves out.
    return decoded.mint === mint ? { symbol: decoded.symbol, name: decoded.name } : null;
  } catch {
    return null;
  }
}
