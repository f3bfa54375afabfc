import {
  getAllocateInstruction,
  getAssignInstruction,
  getCreateAccountInstruction,
  getCreateAccountWithSeedInstruction,
  getTransferSolInstruction,
} from '@solana-program/system';
import * as token from '@solana-program/token-2022';
import { getAddMemoInstruction } from '@solana-program/memo';
import { AccountRole, address, getAddressEncoder, type Address, type Instruction } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { LOOKUP_TABLE_PROGRAM, SYSTEM_PROGRAM } from '../../runtime/addresses.js';
import { TOKEN, TOKEN_2022 } from '../../tests/token-mint.js';
import { signer } from '../../tests/transactions.js';
import { parseInstruction } from './parsed-instruction.js';

const [payer, owner, account, mint] = await Promise.all([1, 2, 3, 4].map(signer));
const [from, wallet, at, of] = [payer, owner, account, mint].map((one) => one?.address ?? SYSTEM_PROGRAM);
const to = address('Nobody1111111111111111111111111111111111111');
const RENT = 'SysvarRent111111111111111111111111111111111';
if (payer === undefined || account === undefined || from === undefined) throw new Error('unreachable');
if (wallet === undefined || at === undefined || of === undefined) throw new Error('unreachable');

const parse = ({ programAddress, accounts = [], data = new Uint8Array() }: Instruction, size = Infinity) =>
  parseInstruction({
    programAddress,
    accounts: accounts.map((meta) => meta.address).slice(0, size),
    data: Uint8Array.from(data),
  });

const ONE = { amount: '1500000', decimals: 6, uiAmount: 1.5, uiAmountString: '1.5' };
const checked = { amount: 1_500_000n, decimals: 6 };

/** An instruction of a program for which no client is at hand. */
const instruction = (
  programAddress: Address,
  data: readonly number[],
  ...accounts: Address[]
): Instruction => ({
  programAddress,
  accounts: accounts.map((one) => ({ address: one, role: AccountRole.WRITABLE })),
  data: Uint8Array.from(data),
});
const bytesOf = (one: Address) => [...getAddressEncoder().encode(one)];
const u32 = (value: number) => [value, 0, 0, 0];
const u64 = (value: number) => [...u32(value), ...u32(0)];
const TABLE = { lookupTableAccount: at, lookupTableAuthority: wallet };
const PAYER = { payerAccount: from, systemProgram: SYSTEM_PROGRAM };

// What nodes show, by the documentation of jsonParsed.
const ROWS: readonly (readonly [program: string, type: string, instruction: Instruction, info: object])[] = [
  [
    'system',
    'createAccount',
    getCreateAccountInstruction({ payer, newAccount: account, lamports: 7n, space: 9n, programAddress: to }),
    { source: from, newAccount: at, lamports: 7n, space: 9n, owner: to },
  ],
  ['system', 'assign', getAssignInstruction({ account, programAddress: to }), { account: at, owner: to }],
  [
    'system',
    'transfer',
    getTransferSolInstruction({ source: payer, destination: to, amount: 7n }),
    { source: from, destination: to, lamports: 7n },
  ],
  [
    'system',
    'createAccountWithSeed',
    getCreateAccountWithSeedInstruction({
      payer,
      newAccount: at,
      baseAccount: payer,
      base: from,
      seed: 'söd',
      amount: 7n,
      space: 9n,
      programAddress: to,
    }),
    { source: from, newAccount: at, base: from, seed: 'söd', lamports: 7n, space: 9n, owner: to },
  ],
  [
    'system',
    'allocate',
    getAllocateInstruction({ newAccount: account, space: 9n }),
    { account: at, space: 9n },
  ],
  [
    'spl-token',
    'transfer',
    token.getTransferInstruction(
      { source: at, destination: to, authority: wallet, amount: 5n },
      { programAddress: TOKEN },
    ),
    { source: at, destination: to, authority: wallet, amount: '5' },
  ],
  [
    'spl-token',
    'transfer',
    token.getTransferInstruction(
      { source: at, destination: to, authority: wallet, amount: 5n, multiSigners: [payer, account] },
      { programAddress: TOKEN },
    ),
    { source: at, destination: to, multisigAuthority: wallet, signers: [from, at], amount: '5' },
  ],
  [
    'spl-token',
    'transferChecked',
    token.getTransferCheckedInstruction(
      { source: at, mint: of, destination: to, authority: wallet, ...checked },
      { programAddress: TOKEN },
    ),
    { source: at, mint: of, destination: to, authority: wallet, tokenAmount: ONE },
  ],
  [
    'spl-token',
    'transferChecked',
    token.getTransferCheckedInstruction({
      source: at,
      mint: of,
      destination: to,
      authority: wallet,
      ...checked,
    }),
    { source: at, mint: of, destination: to, authority: wallet, tokenAmount: ONE },
  ],
  [
    'spl-token',
    'approve',
    token.getApproveInstruction(
      { source: at, delegate: to, owner: wallet, amount: 2n ** 64n - 1n },
      { programAddress: TOKEN },
    ),
    { source: at, delegate: to, owner: wallet, amount: '18446744073709551615' },
  ],
  [
    'spl-token',
    'approveChecked',
    token.getApproveCheckedInstruction(
      { source: at, mint: of, delegate: to, owner: wallet, ...checked },
      { programAddress: TOKEN },
    ),
    { source: at, mint: of, delegate: to, owner: wallet, tokenAmount: ONE },
  ],
  [
    'spl-token',
    'revoke',
    token.getRevokeInstruction({ source: at, owner: wallet }, { programAddress: TOKEN }),
    { source: at, owner: wallet },
  ],
  [
    'spl-token',
    'mintTo',
    token.getMintToInstruction(
      { mint: of, token: at, mintAuthority: wallet, amount: 5n },
      { programAddress: TOKEN },
    ),
    { mint: of, account: at, mintAuthority: wallet, amount: '5' },
  ],
  [
    'spl-token',
    'mintToChecked',
    token.getMintToCheckedInstruction(
      { mint: of, token: at, mintAuthority: wallet, ...checked },
      { programAddress: TOKEN },
    ),
    { mint: of, account: at, mintAuthority: wallet, tokenAmount: ONE },
  ],
  [
    'spl-token',
    'burn',
    token.getBurnInstruction(
      { account: at, mint: of, authority: wallet, amount: 5n },
      { programAddress: TOKEN },
    ),
    { account: at, mint: of, authority: wallet, amount: '5' },
  ],
  [
    'spl-token',
    'burnChecked',
    token.getBurnCheckedInstruction(
      { account: at, mint: of, authority: wallet, ...checked },
      { programAddress: TOKEN },
    ),
    { account: at, mint: of, authority: wallet, tokenAmount: ONE },
  ],
  [
    'spl-token',
    'closeAccount',
    token.getCloseAccountInstruction(
      { account: at, destination: to, owner: wallet },
      { programAddress: TOKEN },
    ),
    { account: at, destination: to, owner: wallet },
  ],
  [
    'spl-token',
    'freezeAccount',
    token.getFreezeAccountInstruction({ account: at, mint: of, owner: wallet }, { programAddress: TOKEN }),
    { account: at, mint: of, freezeAuthority: wallet },
  ],
  [
    'spl-token',
    'thawAccount',
    token.getThawAccountInstruction({ account: at, mint: of, owner: wallet }, { programAddress: TOKEN }),
    { account: at, mint: of, freezeAuthority: wallet },
  ],
  [
    'spl-token',
    'setAuthority',
    token.getSetAuthorityInstruction(
      { owned: at, owner: wallet, authorityType: token.AuthorityType.AccountOwner, newAuthority: to },
      { programAddress: TOKEN },
    ),
    { account: at, authority: wallet, authorityType: 'accountOwner', newAuthority: to },
  ],
  [
    'spl-token',
    'setAuthority',
    token.getSetAuthorityInstruction({
      owned: of,
      owner: wallet,
      authorityType: token.AuthorityType.PermanentDelegate,
      newAuthority: null,
    }),
    { mint: of, authority: wallet, authorityType: 'permanentDelegate', newAuthority: null },
  ],
  [
    'spl-token',
    'setAuthority',
    token.getSetAuthorityInstruction({
      owned: of,
      owner: wallet,
      authorityType: token.AuthorityType.Pause,
      newAuthority: null,
    }),
    { mint: of, authority: wallet, authorityType: 'pause', newAuthority: null },
  ],
  [
    'spl-token',
    'initializeMint',
    token.getInitializeMintInstruction(
      { mint: of, decimals: 6, mintAuthority: wallet, freezeAuthority: to },
      { programAddress: TOKEN },
    ),
    { mint: of, decimals: 6, mintAuthority: wallet, freezeAuthority: to, rentSysvar: RENT },
  ],
  [
    'spl-token',
    'initializeMint2',
    token.getInitializeMint2Instruction(
      { mint: of, decimals: 6, mintAuthority: wallet },
      { programAddress: TOKEN },
    ),
    { mint: of, decimals: 6, mintAuthority: wallet },
  ],
  [
    'spl-token',
    'initializeAccount',
    token.getInitializeAccountInstruction(
      { account: at, mint: of, owner: wallet },
      { programAddress: TOKEN },
    ),
    { account: at, mint: of, owner: wallet, rentSysvar: RENT },
  ],
  [
    'spl-token',
    'initializeAccount2',
    token.getInitializeAccount2Instruction(
      { account: at, mint: of, owner: wallet },
      { programAddress: TOKEN },
    ),
    { account: at, mint: of, owner: wallet, rentSysvar: RENT },
  ],
  [
    'spl-token',
    'initializeAccount3',
    token.getInitializeAccount3Instruction(
      { account: at, mint: of, owner: wallet },
      { programAddress: TOKEN },
    ),
    { account: at, mint: of, owner: wallet },
  ],
  [
    'spl-token',
    'syncNative',
    token.getSyncNativeInstruction({ account: at }, { programAddress: TOKEN }),
    { account: at },
  ],
  ['spl-token', 'getAccountDataSize', instruction(TOKEN, [21], of), { mint: of }],
  [
    'spl-token',
    'getAccountDataSize',
    instruction(TOKEN_2022, [21, 7, 0, 2, 0, 27, 0], of),
    { mint: of, extensionTypes: ['immutableOwner', 'transferFeeAmount', 'pausableAccount'] },
  ],
  [
    'address-lookup-table',
    'createLookupTable',
    instruction(LOOKUP_TABLE_PROGRAM, [...u32(0), ...u64(42), 254], at, wallet, from, SYSTEM_PROGRAM),
    { ...TABLE, ...PAYER, recentSlot: 42n, bumpSeed: 254 },
  ],
  ['address-lookup-table', 'freezeLookupTable', instruction(LOOKUP_TABLE_PROGRAM, u32(1), at, wallet), TABLE],
  [
    'address-lookup-table',
    'extendLookupTable',
    instruction(
      LOOKUP_TABLE_PROGRAM,
      [...u32(2), ...u64(2), ...bytesOf(to), ...bytesOf(of)],
      ...[at, wallet, from, SYSTEM_PROGRAM],
    ),
    { ...TABLE, ...PAYER, newAddresses: [to, of] },
  ],
  [
    'address-lookup-table',
    'extendLookupTable',
    instruction(LOOKUP_TABLE_PROGRAM, [...u32(2), ...u64(0)], at, wallet),
    { ...TABLE, newAddresses: [] },
  ],
  [
    'address-lookup-table',
    'deactivateLookupTable',
    instruction(LOOKUP_TABLE_PROGRAM, u32(3), at, wallet),
    TABLE,
  ],
  [
    'address-lookup-table',
    'closeLookupTable',
    instruction(LOOKUP_TABLE_PROGRAM, u32(4), at, wallet, to),
    { ...TABLE, recipient: to },
  ],
  [
    'spl-associated-token-account',
    'create',
    token.getCreateAssociatedTokenInstruction({
      payer,
      ata: at,
      owner: wallet,
      mint: of,
      tokenProgram: TOKEN,
    }),
    { source: from, account: at, wallet, mint: of, systemProgram: SYSTEM_PROGRAM, tokenProgram: TOKEN },
  ],
  [
    'spl-associated-token-account',
    'createIdempotent',
    token.getCreateAssociatedTokenIdempotentInstruction({
      payer,
      ata: at,
      owner: wallet,
      mint: of,
      tokenProgram: TOKEN_2022,
    }),
    { source: from, account: at, wallet, mint: of, systemProgram: SYSTEM_PROGRAM, tokenProgram: TOKEN_2022 },
  ],
];

describe('an instruction is shown as a node shows it', () => {
  // program#commitment-and-rpc-methods
  test.each(ROWS)('%s %s', (program, type, instruction, info) => {
    expect(parse(instruction)).toEqual({ program, parsed: { type, info } });
  });

  test('a memo is its text', () => {
    expect(parse(getAddMemoInstruction({ memo: 'Zoë' }))).toEqual({ program: 'spl-memo', parsed: 'Zoë' });
  });

  test('an associated token account without data is created', () => {
    const create = token.getCreateAssociatedTokenInstruction({
      payer,
      ata: at,
      owner: wallet,
      mint: of,
      tokenProgram: TOKEN,
    });
    expect(parse({ ...create, data: new Uint8Array() })).toMatchObject({ parsed: { type: 'create' } });
  });
});

describe('an instruction that cannot be shown is left encoded', () => {
  const SEEDED = [...u32(3), ...bytesOf(from), ...u64(1), 255, ...u64(7), ...u64(9), ...bytesOf(to)];
  const MANY = Array<number>(8).fill(255);

  test.each(ROWS)('%s %s with too few accounts or bytes', (_program, _type, instruction) => {
    expect(parse(instruction, 0)).toBeNull();
    const { data = new Uint8Array() } = instruction;
    const cut = parse({ ...instruction, data: data.slice(0, -1) });
    // The number of one byte is all that a kind without fields has: without it, it is another kind or none.
    expect(data.length > 1 ? cut : null).toBeNull();
  });

  test.each([
    ['another program', { programAddress: to, data: Uint8Array.of(2, 0, 0, 0) }],
    ['an unknown kind', { programAddress: TOKEN, data: Uint8Array.of(200) }],
    ['no data', { programAddress: SYSTEM_PROGRAM, data: new Uint8Array() }],
    ['a memo that is not UTF-8', { ...getAddMemoInstruction({ memo: '' }), data: Uint8Array.of(104, 255) }],
    ['a seed that is not UTF-8', instruction(SYSTEM_PROGRAM, SEEDED, from, at)],
    ['an unknown extension', instruction(TOKEN_2022, [21, 200, 0], of)],
    ['an authority of an unknown type', instruction(TOKEN_2022, [6, 200, 0], at, wallet)],
    [
      'an authority that is neither there nor absent',
      instruction(TOKEN, [6, 2, 2, ...bytesOf(to)], at, wallet),
    ],
    ['more addresses than there are', instruction(LOOKUP_TABLE_PROGRAM, [...u32(2), ...MANY], at, wallet)],
  ])('%s', (_, malformed) => {
    expect(parse(malformed)).toBeNull();
  });
});
