import type { Address } from '@solana/kit';
import { SYSTEM_PROGRAM } from './addresses.js';
import type { Execution } from './execution.js';
import { FEE_PAYER, type NativeInstructionsResult } from './native-runtime.js';
import type { RuntimeInstruction } from './program.js';
import type { TransactionError } from './transaction-error.js';

/**
 * Runs instructions on LiteSVM inside of a transaction that it does not know the rest of, and takes over what they did:
 * writes, log, compute units, and what they invoked in turn.
 * @param below how many levels above LiteSVM's own the instructions run at
 * @param enter called with each instruction's place before its trace is recorded
 * @returns the error, its index counting from the first of the instructions
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
  return result.error;
}

const TRANSFER = 2;

/** More than rent for the largest account there is. */
const LOAN = 100_000_000_000n;
const LOAN_UNITS = 150n;
const LOAN_LOG_LINES = 2;

/**
 * LiteSVM takes these instructions for a whole transaction and refuses one that leaves an account short of rent. Rent is due
 * at the end of the real one only, so such an account is lent enough by a last instruction, of which no trace stays.
 */
function runWithLoans(
  execution: Execution,
  instructions: readonly RuntimeInstruction[],
): NativeInstructionsResult {
  const { native, store } = execution.machine;
  const writable = writableAddresses(instructions);
  const borrowers: Address[] = [];
  for (;;) {
    store.beforeNative(writable);
    const units = execution.unitsLeft + LOAN_UNITS * BigInt(borrowers.length);
    const lent = [...instructions, ...borrowers.map(lend)];
    const result = native.runInstructions(lent, { units, heapSize: execution.budget.heapSize });
    const short = accountShortOfRent(result);
    if (short !== null) {
      if (borrowers.includes(short)) throw new Error(`${short} is short of rent whatever it is lent.`);
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

function lend(borrower: Address): RuntimeInstruction {
  const data = new Uint8Array(12);
  const view = new DataView(data.buffer);
  view.setUint32(0, TRANSFER, true);
  view.setBigUint64(4, LOAN, true);
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [
      { address: FEE_PAYER, isSigner: true, isWritable: true },
      { address: borrower, isSigner: false, isWritable: true },
    ],
    data,
  };
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
