import {
  addEncoderSizePrefix,
  address,
  getAddressEncoder,
  getProgramDerivedAddress,
  getStructEncoder,
  getU32Encoder,
  getU8Encoder,
  getUtf8Encoder,
  type Address,
} from '@solana/kit';
import type { Localnet } from '@subrail/localnet';

/** The program whose accounts name tokens. A local chain does not run it, and has only such an account. */
const METADATA_PROGRAM = address('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');
const METADATA_V1 = 4;
const LAMPORTS = 10_000_000n;

const key = getAddressEncoder();
const text = addEncoderSizePrefix(getUtf8Encoder(), getU32Encoder());
const metadata = getStructEncoder([
  ['kind', getU8Encoder()],
  ['updateAuthority', key],
  ['mint', key],
  ['name', text],
  ['symbol', text],
  ['uri', text],
]);

/** Names a token on a local chain, where services look for its name. */
export async function nameToken(
  chain: Localnet,
  mint: Address,
  { symbol, name }: { readonly symbol: string; readonly name: string },
): Promise<void> {
  const seeds = ['metadata', key.encode(METADATA_PROGRAM), key.encode(mint)];
  const [account] = await getProgramDerivedAddress({ programAddress: METADATA_PROGRAM, seeds });
  if (chain.getAccount(account) !== null) return;
  const data = metadata.encode({ kind: METADATA_V1, updateAuthority: mint, mint, name, symbol, uri: '' });
  chain.setAccount(account, { owner: METADATA_PROGRAM, lamports: LAMPORTS, data: Uint8Array.from(data) });
}
