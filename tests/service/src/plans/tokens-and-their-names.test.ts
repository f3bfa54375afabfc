import {
  type Address,
  address,
  addEncoderSizePrefix,
  getAddressEncoder,
  getProgramDerivedAddress,
  getStructEncoder,
  getU32Encoder,
  getUtf8Encoder,
  some,
} from '@solana/kit';
import { type ExtensionArgs, extension, getMintDecoder, getMintEncoder } from '@solana-program/token-2022';
import type { PlanWire } from '@subrail/core/schemas';
import { describe, expect, it } from 'vitest';
import { openTestWorld, PRICE, type TestWorld, type TestWorldOptions } from '@subrail/test-world';

const METADATA_PROGRAM = address('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s');
const DEVNET_USDC = address('4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU');
const EXTENDED = { token: 'extended' } as const;

let world: TestWorld;

const key = getAddressEncoder();
const text = addEncoderSizePrefix(getUtf8Encoder(), getU32Encoder());
const metadata = getStructEncoder([
  ['updateAuthority', key],
  ['mint', key],
  ['name', text],
  ['symbol', text],
  ['uri', text],
]);

interface Terms {
  readonly message: string;
}

interface Named {
  readonly symbol: string;
  readonly name: string;
  /** The mint that the metadata says it is of; the token's own without it. */
  readonly of?: Address;
}

/** The metadata account of a mint, as the metadata program fills it up with zeros. */
async function nameInAccount({ symbol, name, of }: Named, owner: Address = METADATA_PROGRAM): Promise<void> {
  const { mint } = world.token;
  const seeds = ['metadata', key.encode(METADATA_PROGRAM), key.encode(mint)];
  const [account] = await getProgramDerivedAddress({ programAddress: METADATA_PROGRAM, seeds });
  const fields = { updateAuthority: world.owner.address, mint: of ?? mint, uri: '\0'.repeat(200) };
  const data = metadata.encode({ ...fields, name: name.padEnd(32, '\0'), symbol: symbol.padEnd(10, '\0') });
  const parts = { owner, lamports: 10_000_000n };
  world.localnet.setAccount(account, { ...parts, data: Uint8Array.of(4, ...data, ...new Uint8Array(288)) });
}

/** Rewrites the world's mint with more extensions. */
function extend(...more: readonly ExtensionArgs[]): void {
  const { mint } = world.token;
  const decoded = getMintDecoder().decode(world.localnet.getAccount(mint)?.data ?? new Uint8Array());
  const has = decoded.extensions.__option === 'Some' ? decoded.extensions.value : [];
  const data = Uint8Array.from(getMintEncoder().encode({ ...decoded, extensions: some([...has, ...more]) }));
  world.localnet.setAccount(mint, { data, lamports: 100_000_000n });
}

const pointTo = (metadataAddress: Address) =>
  extension('MetadataPointer', { authority: null, metadataAddress });

function nameInMint({ symbol, name, of }: Named): void {
  const { mint } = world.token;
  extend(
    pointTo(mint),
    extension('TokenMetadata', {
      ...{ updateAuthority: null, mint: of ?? mint, name, symbol, uri: '', additionalMetadata: new Map() },
    }),
  );
}

interface Row {
  readonly what: string;
  readonly options?: TestWorldOptions;
  readonly name: () => unknown;
  readonly plan: Pick<PlanWire, 'symbol'> & { readonly token: Partial<PlanWire['token']> };
  /** What the terms count amounts in, and how they name the token, with MINT for its address. */
  readonly terms: readonly [unit: string, token: string];
}

const BONK = { symbol: 'BONK', name: 'Bonk' };
const SAYS_BONK = {
  plan: { symbol: 'BONK', token: { symbol: 'BONK', name: 'Bonk', logo_url: null, verified: false } },
  terms: ['BONK', 'BONK, not verified, mint MINT'],
} as const;
const SAYS_NOTHING = {
  plan: { symbol: null, token: { symbol: null, name: null, verified: false } },
  terms: ['tokens', 'mint MINT'],
} as const;

/** How mints call their tokens. A report of another one is a row. */
const ROWS: readonly Row[] = [
  { what: 'in an account of the metadata program', name: () => nameInAccount(BONK), ...SAYS_BONK },
  { what: 'in the mint', options: EXTENDED, name: () => nameInMint(BONK), ...SAYS_BONK },
  {
    what: 'in an account of the metadata program, of a mint of Token-2022',
    options: EXTENDED,
    name: () => nameInAccount(BONK),
    ...SAYS_BONK,
  },
  { what: 'nowhere', name: () => undefined, ...SAYS_NOTHING },
  { what: 'in an account of another program', name: () => nameInAccount(BONK, DEVNET_USDC), ...SAYS_NOTHING },
  {
    what: 'in the metadata of another mint',
    name: () => nameInAccount({ ...BONK, of: DEVNET_USDC }),
    ...SAYS_NOTHING,
  },
  {
    what: 'in the mint, of another mint',
    options: EXTENDED,
    name: () => nameInMint({ ...BONK, of: DEVNET_USDC }),
    ...SAYS_NOTHING,
  },
  {
    what: 'in an account that nobody knows how to read',
    options: EXTENDED,
    name: () => extend(pointTo(world.owner.address)),
    ...SAYS_NOTHING,
  },
  {
    what: 'with a symbol that turns the text around',
    name: () => nameInAccount({ symbol: 'U\u202eSD', name: 'Dollar' }),
    ...SAYS_NOTHING,
  },
  {
    what: "with a verified token's symbol",
    name: () => nameInAccount({ symbol: 'USDC', name: 'USD Coin' }),
    plan: { symbol: null, token: { symbol: 'USDC', name: 'USD Coin', verified: false } },
    terms: ['tokens', 'mint MINT, which is not USDC'],
  },
];

// plans#names-from-the-mint, plans#token-verification, terms#token-in-the-terms
describe('a token is named as its mint says', () => {
  it.each(ROWS)('$what', async ({ options, name, plan, terms: [unit, token] }) => {
    world = await openTestWorld(options);
    await name();
    const wire = await world.publishPlan(world.projectId, 'named');
    expect(wire).toMatchObject(plan);
    const { address: wallet } = await world.wallet(10n * PRICE);
    const { body } = await world.call('POST', '/subscriptions', { plan: 'named', wallet });
    const lines = (body['terms'] as Terms).message.split('\n');
    expect(lines).toContain(`Amount: 5 ${unit} every 30 days`);
    expect(lines).toContain(`Token: ${token.replace('MINT', world.token.mint)}`);
  });
});

// plans#names-from-the-mint
it('a plan keeps the name that its token had when it was created', async () => {
  world = await openTestWorld();
  await nameInAccount(BONK);
  await world.publishPlan(world.projectId, 'named');
  await nameInAccount({ symbol: 'OTHER', name: 'Another' });
  expect((await world.call('GET', '/plans/named')).body).toMatchObject({ symbol: 'BONK' });
});

// plans#tokens-that-can-be-charged
it.each([
  [
    'ScaledUiAmountConfig',
    { authority: DEVNET_USDC, multiplier: 2, newMultiplierEffectiveTimestamp: 0n, newMultiplier: 2 },
  ],
  [
    'InterestBearingConfig',
    {
      ...{ rateAuthority: DEVNET_USDC, initializationTimestamp: 0n, preUpdateAverageRate: 0 },
      ...{ lastUpdateTimestamp: 0n, currentRate: 500 },
    },
  ],
] as const)('a plan in a token whose amounts wallets show changed is refused: %s', async (__kind, fields) => {
  world = await openTestWorld(EXTENDED);
  extend({ __kind, ...fields } as ExtensionArgs);
  await expect(world.publishPlan(world.projectId, 'scaled')).rejects.toMatchObject({
    code: 'mint_amount_scaled',
  });
});
