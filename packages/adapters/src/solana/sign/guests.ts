import {
  AccountRole,
  type Address,
  type ReadonlyUint8Array,
  address,
  bytesEqual,
  getCompiledTransactionMessageEncoder,
  isSignerRole,
} from '@solana/kit';
import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget';
import type { Message } from '../transaction/wire.js';

export const LIGHTHOUSE_PROGRAM = address('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');

/**
 * The programs whose instructions wallets add: limits, read-only guards and notes. None moves or approves a
 * token.
 */
export const GUEST_PROGRAMS: readonly Address[] = [
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  LIGHTHOUSE_PROGRAM,
  // Memo: 1, 3 and 4.
  address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'),
  address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
  address('Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH'),
];

/** The most instructions that a wallet may add. */
export const MOST_GUESTS = 8;

/** An instruction with its accounts as addresses. */
interface PlainInstruction {
  readonly program: Address;
  readonly accounts: readonly Address[];
  readonly data: readonly number[];
}

/**
 * Whether a message is the built one but for guests and its blockhash (checkout#guests). The charger signs
 * it, so anything that is not understood is refused.
 */
export function differsByGuestsOnly(submitted: Message, bytes: ReadonlyUint8Array, built: Message): boolean {
  // Bytes that are not the one encoding of what they decode to may mean something else to a node.
  if (!bytesEqual(getCompiledTransactionMessageEncoder().encode(submitted), bytes)) return false;
  const [roles, builtRoles] = [rolesOf(submitted), rolesOf(built)];
  const [instructions, builtInstructions] = [instructionsOf(submitted), instructionsOf(built)];
  if (roles === null || builtRoles === null || instructions === null || builtInstructions === null)
    return false;
  const [payer] = built.staticAccounts;
  if (submitted.staticAccounts[0] !== payer) return false;

  const own = builtInstructions.filter(isOwn).map(textOf);
  const theirs = instructions.filter(isOwn).map(textOf);
  if (own.length !== theirs.length || own.some((text, index) => text !== theirs[index])) return false;

  const known = new Set(builtInstructions.map(textOf));
  const guests = instructions.filter((instruction) => !isOwn(instruction) && !known.has(textOf(instruction)));
  if (guests.length > MOST_GUESTS) return false;
  const named = new Set(guests.flatMap(({ program, accounts }) => [program, ...accounts]));
  return [...roles].every(([account, role]) => {
    const before = builtRoles.get(account);
    if (before === undefined) return role === AccountRole.READONLY && named.has(account);
    // A guest's program may use the signatures of named accounts. The wallet alone may lend its own.
    const lendsSignature = isSignerRole(role) && account !== payer && named.has(account);
    return role === before && !lendsSignature;
  });
}

const isOwn = ({ program }: PlainInstruction): boolean => !GUEST_PROGRAMS.includes(program);
const textOf = (instruction: PlainInstruction): string => JSON.stringify(instruction);

/** The role of each account of a message; null when the message has one twice. */
function rolesOf({ header, staticAccounts }: Message): ReadonlyMap<Address, AccountRole> | null {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header;
  const firstReadonlySigner = numSignerAccounts - numReadonlySignerAccounts;
  const firstReadonly = staticAccounts.length - numReadonlyNonSignerAccounts;
  const roles = new Map<Address, AccountRole>();
  for (const [index, account] of staticAccounts.entries()) {
    if (index < numSignerAccounts)
      roles.set(
        account,
        index < firstReadonlySigner ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER,
      );
    else roles.set(account, index < firstReadonly ? AccountRole.WRITABLE : AccountRole.READONLY);
  }
  return roles.size === staticAccounts.length ? roles : null;
}

/** The instructions of a message; null for lookup tables, and for accounts that the message does not have. */
function instructionsOf({
  instructions,
  staticAccounts,
  addressTableLookups = [],
}: Message): readonly PlainInstruction[] | null {
  if (addressTableLookups.length > 0) return null;
  const plain: PlainInstruction[] = [];
  for (const { programAddressIndex, accountIndices = [], data = [] } of instructions) {
    const program = staticAccounts[programAddressIndex];
    const accounts = accountIndices.flatMap((index) => staticAccounts[index] ?? []);
    if (program === undefined || accounts.length !== accountIndices.length) return null;
    plain.push({ program, accounts, data: [...data] });
  }
  return plain;
}
