import { COMPUTE_BUDGET_PROGRAM } from './addresses.js';
import type { Execution } from './execution.js';
import { runOnLiteSvm } from './native-instructions.js';
import { ProgramFrame } from './program-frame.js';
import { InstructionFailure, type RuntimeInstruction } from './program.js';
import type { TransactionError } from './transaction-error.js';

const COMPUTE_BUDGET_UNITS = 150n;

/** Runs all instructions of a transaction. The caller undoes their writes when this returns an error. */
export function runInstructions(execution: Execution): TransactionError | null {
  const { instructions } = execution.transaction;
  const { programs } = execution.machine;
  if (!instructions.some(({ programAddress }) => programs.has(programAddress))) return runWhole(execution);
  execution.takeFee();
  for (let at = 0; at < instructions.length;) {
    let end = at;
    while (end < instructions.length && isNative(execution, instructions[end])) end++;
    const error =
      end > at
        ? runNative(execution, instructions.slice(at, end), at)
        : runTypeScript(execution, instructions[at], at);
    if (error !== null) return error;
    at = Math.max(end, at + 1);
  }
  return null;
}

function isNative({ machine }: Execution, instruction: RuntimeInstruction | undefined): boolean {
  const program = instruction?.programAddress;
  return program !== undefined && program !== COMPUTE_BUDGET_PROGRAM && !machine.programs.has(program);
}

/** Runs a transaction without TypeScript programs: LiteSVM runs all of it and takes the fee. */
function runWhole(execution: Execution): TransactionError | null {
  const { native, store } = execution.machine;
  const { accounts, wire } = execution.transaction;
  const writable = accounts.filter((meta) => meta.isWritable).map((meta) => meta.address);
  store.beforeNative(writable);
  const addresses = accounts.map((meta) => meta.address);
  const limits = { units: execution.budget.unitLimit, heapSize: execution.budget.heapSize };
  const result = native.runTransaction(wire, addresses, limits);
  store.afterNative(writable);
  execution.log.addNative(result.logs, 0);
  execution.charge(result.units < execution.unitsLeft ? result.units : execution.unitsLeft);
  execution.returnData = result.returnData;
  for (const [index, list] of result.inner.entries()) {
    execution.begin(index);
    for (const inner of list) execution.record(inner);
  }
  return result.error;
}

/** Runs consecutive native instructions in one call, so that each sees its siblings. */
function runNative(
  execution: Execution,
  instructions: readonly RuntimeInstruction[],
  first: number,
): TransactionError | null {
  const error = runOnLiteSvm(execution, instructions, 0, (index) => {
    execution.begin(first + index);
  });
  if (error === null || typeof error === 'string' || !('InstructionError' in error)) return error;
  const [index, failure] = error.InstructionError;
  return { InstructionError: [first + index, failure] };
}

function runTypeScript(
  execution: Execution,
  instruction: RuntimeInstruction | undefined,
  index: number,
): TransactionError | null {
  if (instruction === undefined) return null;
  execution.begin(index);
  try {
    if (instruction.programAddress === COMPUTE_BUDGET_PROGRAM) runComputeBudget(execution);
    else new ProgramFrame(execution, instruction, []).run();
    return null;
  } catch (failure) {
    if (failure instanceof InstructionFailure) return { InstructionError: [index, failure.error] };
    throw failure;
  }
}

/** Compute budget requests are read before anything runs. Here they only use units and write log lines. */
function runComputeBudget(execution: Execution): void {
  execution.log.push(`Program ${COMPUTE_BUDGET_PROGRAM} invoke [1]`);
  execution.charge(COMPUTE_BUDGET_UNITS);
  execution.log.push(`Program ${COMPUTE_BUDGET_PROGRAM} success`);
}
