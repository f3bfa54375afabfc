import { isUtf8 } from 'node:buffer';
import type { Address } from '@solana/kit';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  LOOKUP_TABLE_PROGRAM,
  MEMO_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../runtime/addresses.js';
import { toAddress } from '../../runtime/base58.js';
import type { InnerInstruction } from '../../runtime/native-runtime.js';
import { MalformedTransaction, WireReader } from '../../runtime/wire-reader.js';
import { tokenAmount } from './token-amount.js';

export type CalledInstruction = Pick<InnerInstruction, 'programAddress' | 'accounts' | 'data'>;

/** A kind of instruction in `jsonParsed`. */
interface Form {
  readonly type: string;
  /** The names of its accounts, in their order. */
  readonly accounts: readonly string[];
  /** The account after those, whose signature it needs. A multisig is followed by its signers. */
  readonly signer?: string;
  /** The names of accounts after those, which are shown when all of them are there. */
  readonly optional?: readonly string[];
  /** Reads what follows the number of the instruction. */
  readonly fields?: (reader: WireReader) => object;
}

/** Forms by the number of the instruction. The data decides where the number alone does not. */
type Forms = Readonly<Record<number, Form | ((data: Uint8Array) => Form)>>;

/**
 * An instruction as a node shows it in `jsonParsed`. Null without a form here or for malformed data, of which
 * a node shows accounts and data.
 */
export function parseInstruction(called: CalledInstruction): { program: string; parsed: unknown } | null {
  try {
    return parse(called);
  } catch (error) {
    if (error instanceof MalformedTransaction) return null;
    throw error;
  }
}

function parse({ programAddress, accounts, data }: CalledInstruction): ReturnType<typeof parseInstruction> {
  if (MEMO_PROGRAMS.has(programAddress)) return { program: 'spl-memo', parsed: decodeText(data) };
  const program = PROGRAMS.get(programAddress);
  if (program === undefined) return null;
  const { name, forms, numberBytes } = program;
  const number = data.length < numberBytes ? 0 : Number(littleEndian(data.subarray(0, numberBytes)));
  const found = forms[number];
  const form = typeof found === 'function' ? found(data) : found;
  if (form === undefined) return null;
  const info = infoOf(form, accounts, new WireReader(data.subarray(numberBytes)));
  return info === null ? null : { program: name, parsed: { type: form.type, info } };
}

/** Decodes text in UTF-8. @throws {MalformedTransaction} for other bytes */
function decodeText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw new MalformedTransaction('a text of the transaction is not UTF-8');
  return Buffer.from(bytes).toString('utf8');
}

function infoOf(form: Form, accounts: readonly Address[], reader: WireReader): object | null {
  const { signer, optional = [], fields } = form;
  if (accounts.length < form.accounts.length + (signer === undefined ? 0 : 1)) return null;
  const all = [...form.accounts, ...optional];
  const names = accounts.length < all.length ? form.accounts : all;
  return {
    ...Object.fromEntries(names.map((name, index) => [name, accounts[index]])),
    ...(signer !== undefined && signerInfo(signer, accounts.slice(names.length))),
    ...fields?.(reader),
  };
}

function signerInfo(name: string, [signer, ...more]: readonly Address[]): object {
  if (more.length === 0) return { [name]: signer };
  return { [`multisig${name.charAt(0).toUpperCase()}${name.slice(1)}`]: signer, signers: more };
}

const littleEndian = (bytes: Uint8Array) => bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
const u64 = (reader: WireReader) => littleEndian(reader.bytes(8));
const key = (reader: WireReader) => toAddress(reader.bytes(32));
const text = (reader: WireReader) => decodeText(reader.bytes(Number(u64(reader))));
const optionalKey = (reader: WireReader) =>
  named(reader.byte(), ['absent', 'present']) === 'present' ? key(reader) : null;

/** Reads as many as the reader says first. */
function keys(reader: WireReader): readonly Address[] {
  const list: Address[] = [];
  for (let left = u64(reader); left > 0n; left--) list.push(key(reader));
  return list;
}

/** @throws {MalformedTransaction} for a number without a name, of which a node reads no instruction */
function named(number: number, names: readonly string[]): string {
  const name = names[number];
  if (name === undefined) throw new MalformedTransaction('the transaction names a kind that is not known');
  return name;
}

const amount = (reader: WireReader) => ({ amount: u64(reader).toString() });
const checkedAmount = (reader: WireReader) => {
  const units = u64(reader);
  return { tokenAmount: tokenAmount(units, reader.byte()) };
};
const mintFields = (reader: WireReader) => {
  const fields = { decimals: reader.byte(), mintAuthority: key(reader) };
  const freezeAuthority = optionalKey(reader);
  return freezeAuthority === null ? fields : { ...fields, freezeAuthority };
};

/** The types of authorities. The third and the fourth are of an account, all others of a mint. */
const AUTHORITY_TYPES = [
  ...['mintTokens', 'freezeAccount', 'accountOwner', 'closeAccount', 'transferFeeConfig', 'withheldWithdraw'],
  ...['closeMint', 'interestRate', 'permanentDelegate', 'confidentialTransferMint', 'transferHookProgramId'],
  ...[
    'confidentialTransferFeeConfig',
    'metadataPointer',
    'groupPointer',
    'groupMemberPointer',
    'scaledUiAmount',
  ],
  ...['pause', 'permissionedBurn'],
];

/** The extensions of Token-2022 by their numbers. */
const EXTENSION_TYPES = [
  ...['uninitialized', 'transferFeeConfig', 'transferFeeAmount', 'mintCloseAuthority'],
  ...['confidentialTransferMint', 'confidentialTransferAccount', 'defaultAccountState', 'immutableOwner'],
  ...['memoTransfer', 'nonTransferable', 'interestBearingConfig', 'cpiGuard', 'permanentDelegate'],
  ...['nonTransferableAccount', 'transferHook', 'transferHookAccount', 'confidentialTransferFeeConfig'],
  ...['confidentialTransferFeeAmount', 'metadataPointer', 'tokenMetadata', 'groupPointer', 'tokenGroup'],
  ...['groupMemberPointer', 'tokenGroupMember', 'confidentialMintBurn', 'scaledUiAmount', 'pausable'],
  ...['pausableAccount', 'permissionedBurn'],
];

/** The extensions up to the end of the data, when there are any. */
function extensionTypes(reader: WireReader): object {
  const names: string[] = [];
  while (reader.offset < reader.wire.length) {
    names.push(named(Number(littleEndian(reader.bytes(2))), EXTENSION_TYPES));
  }
  return names.length === 0 ? {} : { extensionTypes: names };
}

const SYSTEM_FORMS: Forms = {
  0: {
    type: 'createAccount',
    accounts: ['source', 'newAccount'],
    fields: (reader) => ({ lamports: u64(reader), space: u64(reader), owner: key(reader) }),
  },
  1: { type: 'assign', accounts: ['account'], fields: (reader) => ({ owner: key(reader) }) },
  2: {
    type: 'transfer',
    accounts: ['source', 'destination'],
    fields: (reader) => ({ lamports: u64(reader) }),
  },
  3: {
    type: 'createAccountWithSeed',
    accounts: ['source', 'newAccount'],
    fields: (reader) => ({
      base: key(reader),
      seed: text(reader),
      lamports: u64(reader),
      space: u64(reader),
      owner: key(reader),
    }),
  },
  8: { type: 'allocate', accounts: ['account'], fields: (reader) => ({ space: u64(reader) }) },
};

const TOKEN_FORMS: Forms = {
  0: { type: 'initializeMint', accounts: ['mint', 'rentSysvar'], fields: mintFields },
  1: { type: 'initializeAccount', accounts: ['account', 'mint', 'owner', 'rentSysvar'] },
  3: { type: 'transfer', accounts: ['source', 'destination'], signer: 'authority', fields: amount },
  4: { type: 'approve', accounts: ['source', 'delegate'], signer: 'owner', fields: amount },
  5: { type: 'revoke', accounts: ['source'], signer: 'owner' },
  6: ([, authorityType]) => ({
    type: 'setAuthority',
    accounts: [authorityType === 2 || authorityType === 3 ? 'account' : 'mint'],
    signer: 'authority',
    fields: (reader) => ({
      authorityType: named(reader.byte(), AUTHORITY_TYPES),
      newAuthority: optionalKey(reader),
    }),
  }),
  7: { type: 'mintTo', accounts: ['mint', 'account'], signer: 'mintAuthority', fields: amount },
  8: { type: 'burn', accounts: ['account', 'mint'], signer: 'authority', fields: amount },
  9: { type: 'closeAccount', accounts: ['account', 'destination'], signer: 'owner' },
  10: { type: 'freezeAccount', accounts: ['account', 'mint'], signer: 'freezeAuthority' },
  11: { type: 'thawAccount', accounts: ['account', 'mint'], signer: 'freezeAuthority' },
  12: {
    type: 'transferChecked',
    accounts: ['source', 'mint', 'destination'],
    signer: 'authority',
    fields: checkedAmount,
  },
  13: {
    type: 'approveChecked',
    accounts: ['source', 'mint', 'delegate'],
    signer: 'owner',
    fields: checkedAmount,
  },
  14: {
    type: 'mintToChecked',
    accounts: ['mint', 'account'],
    signer: 'mintAuthority',
    fields: checkedAmount,
  },
  15: { type: 'burnChecked', accounts: ['account', 'mint'], signer: 'authority', fields: checkedAmount },
  16: {
    type: 'initializeAccount2',
    accounts: ['account', 'mint', 'rentSysvar'],
    fields: (reader) => ({ owner: key(reader) }),
  },
  17: { type: 'syncNative', accounts: ['account'] },
  18: {
    type: 'initializeAccount3',
    accounts: ['account', 'mint'],
    fields: (reader) => ({ owner: key(reader) }),
  },
  20: { type: 'initializeMint2', accounts: ['mint'], fields: mintFields },
  21: { type: 'getAccountDataSize', accounts: ['mint'], fields: extensionTypes },
  22: { type: 'initializeImmutableOwner', accounts: ['account'] },
};

const ASSOCIATED_FORMS: Forms = {
  ...Object.fromEntries(
    ['create', 'createIdempotent'].map((type, number) => [
      number,
      { type, accounts: ['source', 'account', 'wallet', 'mint', 'systemProgram', 'tokenProgram'] },
    ]),
  ),
  2: {
    type: 'recoverNested',
    accounts: [
      'nestedSource',
      'nestedMint',
      'destination',
      'nestedOwner',
      'ownerMint',
      'wallet',
      'tokenProgram',
    ],
  },
};

const TABLE = ['lookupTableAccount', 'lookupTableAuthority'];
const LOOKUP_TABLE_FORMS: Forms = {
  0: {
    type: 'createLookupTable',
    accounts: [...TABLE, 'payerAccount', 'systemProgram'],
    fields: (reader) => ({ recentSlot: u64(reader), bumpSeed: reader.byte() }),
  },
  1: { type: 'freezeLookupTable', accounts: TABLE },
  2: {
    type: 'extendLookupTable',
    accounts: TABLE,
    optional: ['payerAccount', 'systemProgram'],
    fields: (reader) => ({ newAddresses: keys(reader) }),
  },
  3: { type: 'deactivateLookupTable', accounts: TABLE },
  4: { type: 'closeLookupTable', accounts: [...TABLE, 'recipient'] },
};

interface ParsedProgram {
  readonly name: string;
  readonly forms: Forms;
  /** The number of bytes at the beginning of the data that number the instruction. */
  readonly numberBytes: number;
}

const PROGRAMS: ReadonlyMap<Address, ParsedProgram> = new Map([
  [SYSTEM_PROGRAM, { name: 'system', forms: SYSTEM_FORMS, numberBytes: 4 }],
  [TOKEN_PROGRAM, { name: 'spl-token', forms: TOKEN_FORMS, numberBytes: 1 }],
  // A node names both token programs alike here, unlike in accounts.
  [TOKEN_2022_PROGRAM, { name: 'spl-token', forms: TOKEN_FORMS, numberBytes: 1 }],
  [LOOKUP_TABLE_PROGRAM, { name: 'address-lookup-table', forms: LOOKUP_TABLE_FORMS, numberBytes: 4 }],
  [
    ASSOCIATED_TOKEN_PROGRAM,
    { name: 'spl-associated-token-account', forms: ASSOCIATED_FORMS, numberBytes: 1 },
  ],
]);
