import { BUILTIN_PROGRAMS, COMPUTE_BUDGET_PROGRAM, PRECOMPILES } from './addresses.js';
import type { RuntimeInstruction } from './program.js';
import type { Transaction } from './transaction.js';
import type { TransactionError } from './transaction-error.js';

/** The requests of a transaction to the compute budget program, with defaults. */
export interface ComputeBudget {
  /** Compute units the whole transaction may use. */
  readonly unitLimit: bigint;
  /** Micro-lamports for each unit of the limit. */
  readonly unitPrice: bigint;
  readonly heapSize: number;
}

/** The compute budget of a transaction, or the error of one whose requests are invalid. */
export type ComputeBudgetResult =
  | { readonly ok: true; readonly budget: ComputeBudget }
  | { readonly ok: false; readonly error: TransactionError };

const MAX_UNITS = 1_400_000n;
const DEFAULT_UNITS_OF_BUILTIN = 3_000n;
const DEFAULT_UNITS_OF_PROGRAM = 200_000n;
const MIN_HEAP = 32 * 1024;
const MAX_HEAP = 256 * 1024;
const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICRO_LAMPORTS_PER_LAMPORT = 1_000_000n;

/** The first byte of a request. */
const Kind = { HeapFrame: 1, UnitLimit: 2, UnitPrice: 3, LoadedAccountsSize: 4 } as const;
type Kind = (typeof Kind)[keyof typeof Kind];

/** Reads the compute budget instructions, which apply to the whole transaction from any place in it. */
export function readComputeBudget(instructions: readonly RuntimeInstruction[]): ComputeBudgetResult {
  const requested = new Map<Kind, bigint>();
  let defaultLimit = 0n;
  for (const [index, instruction] of instructions.entries()) {
    defaultLimit += BUILTIN_PROGRAMS.has(instruction.programAddress)
      ? DEFAULT_UNITS_OF_BUILTIN
      : DEFAULT_UNITS_OF_PROGRAM;
    if (instruction.programAddress !== COMPUTE_BUDGET_PROGRAM) continue;
    const request = readRequest(instruction.data);
    if (request === null) {
      return { ok: false, error: { InstructionError: [index, 'InvalidInstructionData'] } };
    }
    if (requested.has(request.kind)) return { ok: false, error: { DuplicateInstruction: index } };
    requested.set(request.kind, request.value);
  }
  if (requested.get(Kind.LoadedAccountsSize) === 0n) {
    return { ok: false, error: 'InvalidLoadedAccountsDataSizeLimit' };
  }
  const unitLimit = requested.get(Kind.UnitLimit) ?? defaultLimit;
  return {
    ok: true,
    budget: {
      unitLimit: unitLimit < MAX_UNITS ? unitLimit : MAX_UNITS,
      unitPrice: requested.get(Kind.UnitPrice) ?? 0n,
      heapSize: Number(requested.get(Kind.HeapFrame) ?? BigInt(MIN_HEAP)),
    },
  };
}

/**
 * The fee: 5,000 lamports for each signature, those of precompiles too, and the price of the requested units,
 * rounded up (program#network-fee-and-compute-units).
 */
export function transactionFee(transaction: Transaction, budget: ComputeBudget): bigint {
  let signatures = transaction.header.numRequiredSignatures;
  for (const { programAddress, data } of transaction.instructions) {
    if (PRECOMPILES.has(programAddress)) signatures += data[0] ?? 0;
  }
  const priority =
    (budget.unitPrice * budget.unitLimit + MICRO_LAMPORTS_PER_LAMPORT - 1n) / MICRO_LAMPORTS_PER_LAMPORT;
  return BigInt(signatures) * LAMPORTS_PER_SIGNATURE + priority;
}

function readRequest(data: Uint8Array): { kind: Kind; value: bigint } | null {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const kind = data[0] ?? 0;
  switch (kind) {
    case Kind.HeapFrame: {
      if (data.length < 5) return null;
      const size = view.getUint32(1, true);
      return size >= MIN_HEAP && size <= MAX_HEAP && size % 1024 === 0 ? { kind, value: BigInt(size) } : null;
    }
    case Kind.UnitLimit:
    case Kind.LoadedAccountsSize:
      return data.length < 5 ? null : { kind, value: BigInt(view.getUint32(1, true)) };
    case Kind.UnitPrice:
      return data.length < 9 ? null : { kind, value: view.getBigUint64(1, true) };
    default:
      return null;
  }
}
