// Heavy: hundreds of generated transactions are compiled, changed byte by byte, and read again.

import {
  AccountRole,
  type Address,
  type Blockhash,
  type CompiledTransactionMessage,
  type Instruction,
  type KeyPairSigner,
  type ReadonlyUint8Array,
  type Transaction,
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  isTransactionWithinSizeLimit,
  mergeRoles,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signBytes,
} from '@solana/kit';
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget';
import fc from 'fast-check';
import type { Inspection } from '@subrail/core/ports';
import { describe, expect, it } from 'vitest';
import { transactionParts } from '../build/transaction-kinds.js';
import { SUBSCRIPTIONS_PROGRAM, TOKEN_PROGRAM, createAddresses } from '../program/addresses.js';
import { PLAN, SOURCE, chargeView, key } from '../tests/charge-view.js';
import type { Message } from '../transaction/wire.js';
import { encodeWire } from '../transaction/wire.js';
import { BuiltLifetimes } from './built-lifetimes.js';
import { GUEST_PROGRAMS, LIGHTHOUSE_PROGRAM, MOST_GUESTS } from './guests.js';
import { inspect } from './inspect.js';

const signerOf = (byte: number): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(byte));
const [wallet, charger] = await Promise.all([signerOf(1), signerOf(3)]);
const SYSTEM_PROGRAM = address('11111111111111111111111111111111');

const { instructions: parts } = await transactionParts(
  { plan: PLAN, wallet: wallet.address, kind: 'subscribe', view: chargeView() },
  createAddresses(),
  charger.address,
);
const OURS: readonly Instruction[] = [
  getSetComputeUnitLimitInstruction({ units: 200_000 }),
  getSetComputeUnitPriceInstruction({ microLamports: 5n }),
  ...parts,
];

function compiled(
  instructions: readonly Instruction[],
  blockhash = key(9),
  payer = wallet.address,
): Transaction {
  return compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(payer, message),
      (message) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhash as string as Blockhash, lastValidBlockHeight: 150n },
          message,
        ),
      (message) => appendTransactionMessageInstructions(instructions, message),
    ),
  );
}

const built = compiled(OURS);
const decoded = (bytes: ReadonlyUint8Array) =>
  getCompiledTransactionMessageDecoder().decode(bytes) as Message;
const builtMessage = decoded(built.messageBytes);

/** The inspection of a message after the wallet signed it, whatever the message is. */
async function inspected(messageBytes: ReadonlyUint8Array): Promise<Inspection> {
  // The header begins after the version, with the number of signatures.
  const places = (messageBytes[0] ?? 0) >= 128 ? messageBytes[1] : messageBytes[0];
  const signature = await signBytes(wallet.keyPair.privateKey, messageBytes);
  const others = new Uint8Array(64 * Math.max((places ?? 1) - 1, 0));
  const wire = Buffer.from([places ?? 1, ...signature, ...others, ...messageBytes]).toString('base64');
  return inspect(wire, encodeWire(built), wallet.address, new BuiltLifetimes());
}

/** The built message, changed. */
const changed = (change: (message: Message) => CompiledTransactionMessage): ReadonlyUint8Array =>
  getCompiledTransactionMessageEncoder().encode(change(builtMessage));

/** The role of each account in the built transaction: the most that any instruction asks for it. */
const builtRoles = new Map<Address, AccountRole>([[wallet.address, AccountRole.WRITABLE_SIGNER]]);
const builtRoleOf = (account: Address) => builtRoles.get(account) ?? AccountRole.READONLY;
for (const { address: account, role } of OURS.flatMap(({ accounts = [] }) => accounts))
  builtRoles.set(account, mergeRoles(role, builtRoleOf(account)));

/** Programs that are no guests. */
const OTHER_PROGRAMS = [
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  SUBSCRIPTIONS_PROGRAM,
  address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'),
  address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'),
  address('AddressLookupTab1e1111111111111111111111111'),
  address('BPFLoaderUpgradeab1e11111111111111111111111'),
  key(92),
];

/** The accounts of added instructions: those of the transaction but its programs, and two that it lacks. */
const ACCOUNTS = [...builtRoles.keys(), key(90), key(91)].filter(
  (account) =>
    !OTHER_PROGRAMS.includes(account) && !OURS.some(({ programAddress }) => programAddress === account),
);

const u64 = (amount: number) => [...new Uint8Array(new BigUint64Array([BigInt(amount)]).buffer)];
/** Data of what a thief would have the charger sign. */
const THEFTS = [
  Uint8Array.of(2, 0, 0, 0, ...u64(1_000_000)), // system: transfer
  Uint8Array.of(4, 0, 0, 0), // system: advance a nonce
  Uint8Array.of(1, 0, 0, 0, ...new Array<number>(32).fill(7)), // system: assign
  Uint8Array.of(3, ...u64(1)), // token: transfer
  Uint8Array.of(4, ...u64(1)), // token: approve
  Uint8Array.of(6, 2, 0), // token: set authority
  Uint8Array.of(9), // token: close account
];

const account = fc.record({
  address: fc.constantFrom(...ACCOUNTS),
  role: fc.constantFrom(
    AccountRole.READONLY,
    AccountRole.WRITABLE,
    AccountRole.READONLY_SIGNER,
    AccountRole.WRITABLE_SIGNER,
  ),
});
const harmless = fc.record({
  address: fc.constantFrom(wallet.address, SOURCE as Address, key(90)),
  role: fc.constant(AccountRole.READONLY),
});
const data = fc.oneof(fc.constantFrom(...THEFTS), fc.uint8Array({ maxLength: 12 }));
const anyInstruction = fc.record({
  programAddress: fc.constantFrom(...OTHER_PROGRAMS, ...GUEST_PROGRAMS),
  accounts: fc.array(account, { maxLength: 4 }),
  data,
});
const guest = fc.record({
  programAddress: fc.constantFrom(...GUEST_PROGRAMS),
  accounts: fc.array(fc.oneof({ weight: 12, arbitrary: harmless }, { weight: 1, arbitrary: account }), {
    maxLength: 3,
  }),
  data,
});
const additions = fc.array(
  fc.tuple(
    fc.nat(OURS.length),
    fc.oneof({ weight: 15, arbitrary: guest }, { weight: 1, arbitrary: anyInstruction }),
  ),
  { minLength: 1, maxLength: MOST_GUESTS + 2 },
);

/** The rule, said another way: no addition gives anyone a further right, or uses the charger's. */
function mayBeAdded(added: readonly Instruction[]): boolean {
  return (
    added.length <= MOST_GUESTS &&
    added.every(
      ({ programAddress, accounts = [] }) =>
        GUEST_PROGRAMS.includes(programAddress) &&
        accounts.every(
          ({ address: account, role }) =>
            account !== charger.address && mergeRoles(role, builtRoleOf(account)) === builtRoleOf(account),
        ),
    )
  );
}

// checkout#guests
describe('a transaction to which a wallet added instructions', () => {
  it('is ours exactly when they are at most eight guests without a further right, wherever they are', async () => {
    const seen = { ours: 0, other_message: 0 };
    await fc.assert(
      fc.asyncProperty(additions, async (added) => {
        const instructions = [...OURS];
        for (const [place, instruction] of added) instructions.splice(place, 0, instruction);
        const transaction = compiled(instructions);
        fc.pre(isTransactionWithinSizeLimit(transaction));
        const expected = mayBeAdded(added.map(([, instruction]) => instruction)) ? 'ours' : 'other_message';
        expect((await inspected(transaction.messageBytes)).kind).toBe(expected);
        seen[expected] += 1;
      }),
      { numRuns: 400 },
    );
    // Both were tried, so that neither answer is always given.
    expect(Math.min(seen.ours, seen.other_message)).toBeGreaterThan(60);
  });

  it('means what was built, as kit reads it, when it is ours though bytes were changed', async () => {
    const meaning = ({ instructions, feePayer }: ReturnType<typeof decompileTransactionMessage>) =>
      JSON.stringify([
        feePayer.address,
        instructions
          .filter(({ programAddress }) => !GUEST_PROGRAMS.includes(programAddress))
          .map(({ programAddress, accounts = [], data: bytes = [] }) => [
            programAddress,
            accounts.map(({ address: account, role }) => [account, role]),
            [...bytes],
          ]),
      ]);
    const guests = [LIGHTHOUSE_PROGRAM, GUEST_PROGRAMS[2] ?? key(0)].map((programAddress) => ({
      programAddress,
      accounts: [{ address: wallet.address, role: AccountRole.READONLY }],
      data: Uint8Array.of(1, 2, 3),
    }));
    const { messageBytes } = compiled([...OURS, ...guests]);
    const flip = fc.record({ at: fc.nat(messageBytes.length - 1), to: fc.nat(255) });
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(flip, { minLength: 1, maxLength: 3 }), async (flips) => {
        const bytes = Uint8Array.from(messageBytes);
        for (const { at, to } of flips) bytes[at] = to;
        if ((await inspected(bytes)).kind !== 'ours') return;
        accepted += 1;
        expect(meaning(decompileTransactionMessage(decoded(bytes)))).toBe(
          meaning(decompileTransactionMessage(builtMessage)),
        );
      }),
      { numRuns: 400 },
    );
    expect(accepted).toBeGreaterThan(5);
  });

  it('is ours with another blockhash, and says so', async () => {
    expect(await inspected(compiled(OURS, key(8)).messageBytes)).toMatchObject({
      kind: 'ours',
      hasBuiltLifetime: false,
    });
  });

  it('is ours without the limit and the price that were built', async () => {
    expect((await inspected(compiled(parts).messageBytes)).kind).toBe('ours');
  });
});

// checkout#guests
describe('a message that was changed by hand is another one', () => {
  const { staticAccounts, instructions, header } = builtMessage;
  const memo = { programAddress: GUEST_PROGRAMS[3] ?? key(0), data: Uint8Array.of(104, 105) };
  const withGuest = decoded(compiled([...OURS, memo]).messageBytes);
  const withLast = (change: (instruction: Message['instructions'][number]) => object) =>
    instructions.map((instruction, place) =>
      place === instructions.length - 1 ? { ...instruction, ...change(instruction) } : instruction,
    );

  it.each<[string, ReadonlyUint8Array]>([
    ['with bytes appended', Uint8Array.of(...built.messageBytes, 0)],
    [
      'with an account twice',
      changed((same) => ({ ...same, staticAccounts: [...staticAccounts, key(90), key(90)] })),
    ],
    [
      'with the charger again, behind the others, for a guest',
      changed(() => ({
        ...withGuest,
        staticAccounts: [...withGuest.staticAccounts, charger.address],
        instructions: withGuest.instructions.map((instruction, place) =>
          place === withGuest.instructions.length - 1
            ? { ...instruction, accountIndices: [withGuest.staticAccounts.length] }
            : instruction,
        ),
      })),
    ],
    [
      'with an account that nothing names',
      changed((same) => ({ ...same, staticAccounts: [...staticAccounts, key(90)] })),
    ],
    [
      'with two accounts in each other’s place',
      changed((same) => {
        const swapped = [...staticAccounts];
        [swapped[2], swapped[3]] = [staticAccounts[3] ?? key(0), staticAccounts[2] ?? key(0)];
        return { ...same, staticAccounts: swapped };
      }),
    ],
    [
      'with a writable account that was read-only',
      changed((same) => ({
        ...same,
        header: { ...header, numReadonlyNonSignerAccounts: header.numReadonlyNonSignerAccounts - 1 },
      })),
    ],
    [
      'with a signer that was none',
      changed((same) => ({
        ...same,
        header: { ...header, numSignerAccounts: header.numSignerAccounts + 1 },
      })),
    ],
    [
      'with a lookup table',
      changed((same) => ({
        ...same,
        addressTableLookups: [{ lookupTableAddress: key(90), writableIndexes: [0], readonlyIndexes: [] }],
      })),
    ],
    [
      'with an account of its lookup table',
      changed((same) => ({
        ...same,
        instructions: withLast(({ accountIndices = [] }) => ({
          accountIndices: [...accountIndices, staticAccounts.length],
        })),
        addressTableLookups: [{ lookupTableAddress: key(90), writableIndexes: [0], readonlyIndexes: [] }],
      })),
    ],
    [
      'without its last instruction',
      changed((same) => ({ ...same, instructions: instructions.slice(0, -1) })),
    ],
    [
      'with its last instruction twice',
      changed((same) => ({ ...same, instructions: [...instructions, ...instructions.slice(-1)] })),
    ],
    [
      'with its instructions in another order',
      changed((same) => ({
        ...same,
        instructions: [...instructions.slice(0, 2), ...instructions.slice(2).reverse()],
      })),
    ],
    [
      'with other data',
      changed((same) => ({
        ...same,
        instructions: withLast(({ data: bytes = [] }) => ({
          data: Uint8Array.from(bytes, (byte, index) => (index === 1 ? byte ^ 1 : byte)),
        })),
      })),
    ],
    [
      'with one account less in an instruction',
      changed((same) => ({
        ...same,
        instructions: withLast(({ accountIndices = [] }) => ({
          accountIndices: accountIndices.slice(0, -1),
        })),
      })),
    ],
  ])('%s', async (_, messageBytes) => {
    expect((await inspected(messageBytes)).kind).toBe('other_message');
  });
});

/** The parts of the built transaction in one of version 1, with an instruction of that many bytes. */
async function ofVersion1(bytes: number): Promise<string> {
  const long = { programAddress: key(92), data: new Uint8Array(bytes) };
  const message = pipe(
    // The types of kit do not name this version yet, and its functions know it.
    createTransactionMessage({ version: 1 as 0 }),
    (empty) => setTransactionMessageFeePayer(wallet.address, empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: key(9) as string as Blockhash, lastValidBlockHeight: 150n },
        paid,
      ),
    (lasting) => appendTransactionMessageInstructions([...parts, long], lasting),
  );
  return encodeWire(await partiallySignTransaction([wallet.keyPair], compileTransaction(message)));
}

// checkout#which-transaction-can-be-submitted
describe('a transaction of another version', () => {
  it('is told as such when it is a legacy one, which has none', async () => {
    const { addressTableLookups: _none, ...rest } = builtMessage;
    expect((await inspected(changed(() => ({ ...rest, version: 'legacy' })))).kind).toBe('legacy');
  });

  it.each([
    ['version 1', 10, 'other_version'],
    ['version 1, longer than one of version 0 may be', 3_000, 'other_version'],
    ['version 1, longer than the network takes', 4_000, 'undecodable'],
  ])('is told as such when it is of %s', async (_, bytes, kind) => {
    const lifetimes = new BuiltLifetimes();
    expect(await inspect(await ofVersion1(bytes), encodeWire(built), wallet.address, lifetimes)).toEqual({
      kind,
    });
  });

  it('does not decode when the network would not take one of version 0 that is so long', async () => {
    const long = { programAddress: key(92), data: new Uint8Array(900) };
    expect((await inspected(compiled([...OURS, long]).messageBytes)).kind).toBe('undecodable');
  });
});
