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
  const { native, store } = execution.machine;
  const writable = writableAddresses(instructions);
  store.beforeNative(writable);
  const result = native.runInstructions(instructions, {
    units: execution.unitsLeft,
    heapSize: execution.budget.heapSize,
  });
  if (result.error === null) store.afterNative(writable);
  execution.log.takeNative(result.logs, below);
  execution.charge(result.units);
  if (result.returnData !== null) execution.returnData = result.returnData;
  for (const [index, list] of result.inner.entries()) {
    enter(index);
    for (const inner of list) execution.record({ ...inner, stackHeight: inner.stackHeight + below });
  }
  return result.error === null ? null : translate(execution, result, result.error);
}

function writableAddresses(instructions: readonly RuntimeInstruction[]): Set<Address> {
  const writable = new Set<Address>();
  for (const { accounts } of instructions) {
    for (const { address, isWritable } of accounts) if (isWritable) writable.add(address);
  }
  return writable;
}

function translate(
  execution: Execution,
  { addresses }: NativeInstructionsResult,
  error: TransactionError,
): TransactionError {
  if (typeof error === 'string' || !('InsufficientFundsForRent' in error)) return error;
  const address = addresses[error.InsufficientFundsForRent.account_index];
  const index = execution.transaction.accounts.findIndex((meta) => meta.address === address);
  return { InsufficientFundsForRent: { account_index: index } };
}
