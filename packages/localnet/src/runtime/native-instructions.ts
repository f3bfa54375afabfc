import type { Address } from '@solana/kit';
import type { Execution } from './execution.js';
import { FEE_PAYER, type NativeInstructionsResult } from './native-runtime.js';
import type { RuntimeInstruction } from './program.js';
import { systemTransfer } from './system-transfer.js';
import type { TransactionError } from './transaction-error.js';

/**
 * Runs instructions of a transaction on LiteSVM, and copies writes, log, units and inner instructions.
 * @param extraDepth how many call levels deeper the instructions run than LiteSVM counts
 * @param enter called with the index of each instruction before its trace is recorded
 * @returns the error, whose index counts from the first of the instructions
 */
export function runOnLiteSvm(
  execution: Execution,
  instructions: readonly RuntimeInstruction[],
  extraDepth: number,
  enter: (index: number) => void,
): TransactionError | null {
  const result = runDeferringRent(execution, instructions);
  execution.log.addNative(result.logs, extraDepth);
  execution.charge(result.units);
  if (result.returnData !== null) execution.returnData = result.returnData;
  for (const [index, list] of result.inner.entries()) {
    enter(index);
    for (const inner of list) execution.record({ ...inner, stackHeight: inner.stackHeight + extraDepth });
  }
  return result.error;
}

/** The lamports that `runDeferringRent` lends to an account: more than the rent of the largest account. */
const LOAN = 100_000_000_000n;
/** The compute units and the log lines of the instruction that lends them. */
const LOAN_UNITS = 150n;
const LOAN_LOG_LINES = 2;

/**
 * Runs instructions without LiteSVM's rent check, which is due only at the end of the real transaction
 * (program#rent-at-transaction-end). An extra last instruction lends lamports to an account that is short;
 * the loan and its trace are removed afterwards.
 */
function runDeferringRent(
  execution: Execution,
  instructions: readonly RuntimeInstruction[],
): NativeInstructionsResult {
  const { native, store } = execution.machine;
  const writable = writableAddresses(instructions);
  const borrowers: Address[] = [];
  for (;;) {
    store.beforeNative(writable);
    const units = execution.unitsLeft + LOAN_UNITS * BigInt(borrowers.length);
    const loans = borrowers.map((borrower) => systemTransfer(FEE_PAYER, borrower, LOAN));
    const result = native.runInstructions([...instructions, ...loans], {
      units,
      heapSize: execution.budget.heapSize,
    });
    const short = accountShortOfRent(result);
    if (short !== null) {
      if (borrowers.includes(short))
        throw new Error(`${short} is short of rent even with a loan of ${LOAN} lamports.`);
      borrowers.push(short);
      continue;
    }
    if (result.error !== null) return result;
    store.afterNative(writable);
    for (const address of borrowers) {
      const account = store.read(address);
      store.write(address, { ...account, lamports: account.lamports - LOAN });
    }
    return {
      ...result,
      units: result.units - LOAN_UNITS * BigInt(borrowers.length),
      logs: result.logs.slice(0, result.logs.length - LOAN_LOG_LINES * borrowers.length),
      inner: result.inner.slice(0, instructions.length),
    };
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
