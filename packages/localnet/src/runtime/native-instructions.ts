import type { Address } from '@solana/kit';
import type { Execution } from './execution.js';
import type { NativeInstructionsResult } from './native-runtime.js';
import type { RuntimeInstruction } from './program.js';
import type { TransactionError } from './transaction-error.js';

/**
 * Runs instructions on LiteSVM inside of a transaction that it does not know the rest of, and takes over what they did:
 * writes, log, compute units, and what they invoked in turn.
 * @param below how many levels above LiteSVM's own the instructions run at
 * @param enter called with each instruction's place before its trace is recorded
 * @returns the error, its indexes translated: an instruction's place in the list, an account's place in the transaction
 */
export function runOnLiteSvm(
  execution: Execution,
  instructions: readonly RuntimeInstruction[],
  below: number,
  enter: (index: number) => void,
): TransactionError | null {
  const result = runWithLoans(execution, instructions);
  execution.log.takeNative(result.logs, below);
  execution.charge(result.units);
  if (result.returnData !== null) execution.returnData = result.returnData;
  for (const [index, list] of result.inner.entries()) {
    enter(index);
    for (const inner of list) execution.record({ ...inner, stackHeight: inner.stackHeight + below });
  }
  if (result.error === null) return null;
  const short = accountShortOfRent(result);
  if (short === null) return result.error;
  const { accounts } = execution.transaction;
  return {
    InsufficientFundsForRent: { account_index: accounts.findIndex(({ address }) => address === short) },
  };
}

/** More than rent for the largest account there is. */
const LOAN = 100_000_000_000n;

/**
 * LiteSVM takes these instructions for a whole transaction and refuses one that leaves an account short of rent. Rent is due
 * at the end of the real one only, so such an account is lent enough for as long as the instructions run.
 */
function runWithLoans(
  execution: Execution,
  instructions: readonly RuntimeInstruction[],
): NativeInstructionsResult {
  const { native, store } = execution.machine;
  const writable = writableAddresses(instructions);
  const loans = new Set<Address>();
  const addLamports = (address: Address, lamports: bigint): void => {
    const account = store.read(address);
    store.write(address, { ...account, lamports: account.lamports + lamports });
  };
  for (;;) {
    store.beforeNative(writable);
    const limits = { units: execution.unitsLeft, heapSize: execution.budget.heapSize };
    const result = native.runInstructions(instructions, limits);
    if (result.error === null) store.afterNative(writable);
    const short = accountShortOfRent(result);
    if (short !== null && !loans.has(short) && store.find(short) !== undefined) {
      loans.add(short);
      addLamports(short, LOAN);
      continue;
    }
    for (const address of loans) addLamports(address, -LOAN);
    return result;
  }
}

function accountShortOfRent({ error, addresses }: NativeInstructionsResult): Address | null {
  if (error === null || typeof error === 'string' || !('InsufficientFundsForRent' in error)) return null;
  return addresses[error.InsufficientFundsForRent.account_index] ?? null;
}

function writableAddresses(instructions: readonly RuntimeInstruction[]): Set<Address> {
  const writable = new Set<Address>();
  for (const { accounts } of instructions) {
    for (const { address, isWritable } of accounts) if (isWritable) writable.add(address);
  }
  return writable;
}
