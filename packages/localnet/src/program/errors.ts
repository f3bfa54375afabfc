import { InstructionFailure, type InvokeContext } from '../runtime/program.js';

/** The codes of the program's own errors that are raised here (program#program-error-codes). */
export const PROGRAM_ERRORS = {
  NotSigner: 100,
  InvalidSubscriptionAuthorityPda: 103,
  NotSystemProgram: 104,
  InvalidTokenProgram: 105,
  InvalidToken2022MintAccountData: 106,
  InvalidToken2022TokenAccountData: 107,
  InvalidAssociatedTokenAccountDerivedAddress: 108,
  InvalidTokenSplMintAccountData: 109,
  InvalidTokenSplTokenAccountData: 110,
  InvalidAccountData: 111,
  InvalidInstructionData: 112,
  NotEnoughAccountKeys: 113,
  InvalidInstruction: 114,
  ArithmeticOverflow: 115,
  ArithmeticUnderflow: 116,
  InvalidAccountDiscriminator: 117,
  MintMismatch: 125,
  InvalidDelegatePda: 126,
  InvalidHeaderData: 127,
  DelegationExpired: 128,
  InvalidAmount: 129,
  Unauthorized: 130,
  AccountNotWritable: 131,
  DelegationVersionMismatch: 133,
  MigrationRequired: 134,
  StaleSubscriptionAuthority: 136,
  NoExcessLamports: 138,
  AmountExceedsPeriodLimit: 400,
  InvalidPeriodLength: 402,
  DelegationNotStarted: 407,
  PlanSunset: 500,
  PlanExpired: 501,
  InvalidPlanPda: 502,
  InvalidSubscriptionPda: 503,
  NotPlanOwner: 504,
  SubscriptionPlanMismatch: 505,
  UnauthorizedDestination: 506,
  SubscriptionCancelled: 508,
  SubscriptionAlreadyCancelled: 509,
  SubscriptionNotCancelled: 510,
  InvalidEndTs: 511,
  InvalidPlanStatus: 512,
  PlanImmutableAfterSunset: 513,
  SunsetRequiresEndTs: 514,
  PlanNotExpired: 515,
  PlanClosed: 516,
  AlreadySubscribed: 517,
  PlanAlreadyExists: 518,
  PlanTermsMismatch: 519,
  PlanEndTsCannotExtend: 520,
  StaleSubscriptionApproval: 521,
  StalePlanApproval: 522,
  InvalidEventAuthority: 600,
  InvalidSelfProgram: 604,
} as const;

export type ProgramErrorName = keyof typeof PROGRAM_ERRORS;

/** Fails the instruction with the program's own code for `name`. */
export function refuse(name: ProgramErrorName): never {
  throw new InstructionFailure({ Custom: PROGRAM_ERRORS[name] });
}

/**
 * Fails an instruction of fixed and recurring delegations, and logs its name
 * (program#fixed-and-recurring-delegations). A program cannot return this error, so it is not mistaken for
 * one of the real program.
 */
export function notImplemented(context: InvokeContext, what: string): never {
  context.log(`${what} is not implemented by this local chain; load the program's ELF to use it`);
  throw new InstructionFailure('ProgramFailedToComplete');
}
