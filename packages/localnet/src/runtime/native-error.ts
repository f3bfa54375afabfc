import { createRequire } from 'node:module';
import type * as LiteSvmBinding from 'litesvm/dist/internal.js';
import type { InstructionError } from './program.js';
import type { TransactionError } from './transaction-error.js';

const binding = createRequire(import.meta.url)('litesvm/dist/internal.js') as typeof LiteSvmBinding;

type NativeTransactionError = ReturnType<LiteSvmBinding.FailedTransactionMetadata['err']>;
type NativeInstructionError = ReturnType<LiteSvmBinding.TransactionErrorInstructionError['err']>;

/** Converts LiteSVM's errors, which are numbers and classes, to the names and shapes of Solana's RPC. */
export function readNativeError(error: NativeTransactionError): TransactionError {
  if (typeof error === 'number') return nameOf(TRANSACTION_ERRORS, error);
  if (error instanceof binding.TransactionErrorInstructionError) {
    return { InstructionError: [error.index, readInstructionError(error.err())] };
  }
  if (error instanceof binding.TransactionErrorDuplicateInstruction) {
    return { DuplicateInstruction: error.index };
  }
  if (error instanceof binding.TransactionErrorInsufficientFundsForRent) {
    return { InsufficientFundsForRent: { account_index: error.accountIndex } };
  }
  return { ProgramExecutionTemporarilyRestricted: { account_index: error.accountIndex } };
}

function readInstructionError(error: NativeInstructionError): InstructionError {
  if (typeof error === 'number') return nameOf(INSTRUCTION_ERRORS, error);
  return error instanceof binding.InstructionErrorCustom ? { Custom: error.code } : 'BorshIoError';
}

// The binding numbers its errors and names them only in its type declarations. These are those names, in that order.
const TRANSACTION_ERRORS = [
  'AccountInUse',
  'AccountLoadedTwice',
  'AccountNotFound',
  'ProgramAccountNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
  'AlreadyProcessed',
  'BlockhashNotFound',
  'CallChainTooDeep',
  'MissingSignatureForFee',
  'InvalidAccountIndex',
  'SignatureFailure',
  'InvalidProgramForExecution',
  'SanitizeFailure',
  'ClusterMaintenance',
  'AccountBorrowOutstanding',
  'WouldExceedMaxBlockCostLimit',
  'UnsupportedVersion',
  'InvalidWritableAccount',
  'WouldExceedMaxAccountCostLimit',
  'WouldExceedAccountDataBlockLimit',
  'TooManyAccountLocks',
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableOwner',
  'InvalidAddressLookupTableData',
  'InvalidAddressLookupTableIndex',
  'InvalidRentPayingAccount',
  'WouldExceedMaxVoteCostLimit',
  'WouldExceedAccountDataTotalLimit',
  'MaxLoadedAccountsDataSizeExceeded',
  'ResanitizationNeeded',
  'InvalidLoadedAccountsDataSizeLimit',
  'UnbalancedTransaction',
  'ProgramCacheHitMaxLimit',
  'CommitCancelled',
] as const satisfies readonly (keyof typeof LiteSvmBinding.TransactionErrorFieldless)[];

const INSTRUCTION_ERRORS = [
  'GenericError',
  'InvalidArgument',
  'InvalidInstructionData',
  'InvalidAccountData',
  'AccountDataTooSmall',
  'InsufficientFunds',
  'IncorrectProgramId',
  'MissingRequiredSignature',
  'AccountAlreadyInitialized',
  'UninitializedAccount',
  'UnbalancedInstruction',
  'ModifiedProgramId',
  'ExternalAccountLamportSpend',
  'ExternalAccountDataModified',
  'ReadonlyLamportChange',
  'ReadonlyDataModified',
  'DuplicateAccountIndex',
  'ExecutableModified',
  'RentEpochModified',
  'NotEnoughAccountKeys',
  'AccountDataSizeChanged',
  'AccountNotExecutable',
  'AccountBorrowFailed',
  'AccountBorrowOutstanding',
  'DuplicateAccountOutOfSync',
  'InvalidError',
  'ExecutableDataModified',
  'ExecutableLamportChange',
  'ExecutableAccountNotRentExempt',
  'UnsupportedProgramId',
  'CallDepth',
  'MissingAccount',
  'ReentrancyNotAllowed',
  'MaxSeedLengthExceeded',
  'InvalidSeeds',
  'InvalidRealloc',
  'ComputationalBudgetExceeded',
  'PrivilegeEscalation',
  'ProgramEnvironmentSetupFailure',
  'ProgramFailedToComplete',
  'ProgramFailedToCompile',
  'Immutable',
  'IncorrectAuthority',
  'AccountNotRentExempt',
  'InvalidAccountOwner',
  'ArithmeticOverflow',
  'UnsupportedSysvar',
  'IllegalOwner',
  'MaxAccountsDataAllocationsExceeded',
  'MaxAccountsExceeded',
  'MaxInstructionTraceLengthExceeded',
  'BuiltinProgramsMustConsumeComputeUnits',
  'BorshIoError',
] as const satisfies readonly (keyof typeof LiteSvmBinding.InstructionErrorFieldless)[];

function nameOf<Name extends string>(names: readonly Name[], value: number): Name {
  const name = names[value];
  if (name === undefined)
    throw new Error(`LiteSVM reported error ${value}, which its declarations do not name.`);
  return name;
}
