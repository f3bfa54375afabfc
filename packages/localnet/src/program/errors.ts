import { InstructionFailure } from '../runtime/program.js';

/**
 * The names of the program's own error codes by number (program#program-error-codes), including codes that it never
 * raises.
 */
export const PROGRAM_ERRORS = {
  100: 'NotSigner',
  101: 'InvalidAddress',
  102: 'InvalidEscrowPda',
  103: 'InvalidSubscriptionAuthorityPda',
  104: 'NotSystemProgram',
  105: 'InvalidTokenProgram',
  106: 'InvalidToken2022MintAccountData',
  107: 'InvalidToken2022TokenAccountData',
  108: 'InvalidAssociatedTokenAccountDerivedAddress',
  109: 'InvalidTokenSplMintAccountData',
  110: 'InvalidTokenSplTokenAccountData',
  111: 'InvalidAccountData',
  112: 'InvalidInstructionData',
  113: 'NotEnoughAccountKeys',
  114: 'InvalidInstruction',
  115: 'ArithmeticOverflow',
  116: 'ArithmeticUnderflow',
  117: 'InvalidAccountDiscriminator',
  118: 'MintHasConfidentialTransfer',
  119: 'MintHasNonTransferable',
  120: 'MintHasPermanentDelegate',
  121: 'MintHasTransferHook',
  122: 'MintHasTransferFee',
  123: 'MintHasMintCloseAuthority',
  124: 'MintHasPausable',
  125: 'MintMismatch',
  126: 'InvalidDelegatePda',
  127: 'InvalidHeaderData',
  128: 'DelegationExpired',
  129: 'InvalidAmount',
  130: 'Unauthorized',
  131: 'AccountNotWritable',
  132: 'AtaOwnerMismatch',
  133: 'DelegationVersionMismatch',
  134: 'MigrationRequired',
  135: 'DelegationAlreadyExists',
  136: 'StaleSubscriptionAuthority',
  137: 'TransferHookTooManyAccounts',
  138: 'NoExcessLamports',
  300: 'AmountExceedsLimit',
  301: 'FixedDelegationExpiryInPast',
  302: 'FixedDelegationAmountZero',
  400: 'AmountExceedsPeriodLimit',
  401: 'PeriodNotElapsed',
  402: 'InvalidPeriodLength',
  403: 'InvalidPayerData',
  404: 'RecurringDelegationStartTimeInPast',
  405: 'RecurringDelegationStartTimeGreaterThanExpiry',
  406: 'RecurringDelegationAmountZero',
  407: 'DelegationNotStarted',
  408: 'RecurringDelegationStartOnLandingRequiresExpiry',
  500: 'PlanSunset',
  501: 'PlanExpired',
  502: 'InvalidPlanPda',
  503: 'InvalidSubscriptionPda',
  504: 'NotPlanOwner',
  505: 'SubscriptionPlanMismatch',
  506: 'UnauthorizedDestination',
  507: 'InvalidNumDestinations',
  508: 'SubscriptionCancelled',
  509: 'SubscriptionAlreadyCancelled',
  510: 'SubscriptionNotCancelled',
  511: 'InvalidEndTs',
  512: 'InvalidPlanStatus',
  513: 'PlanImmutableAfterSunset',
  514: 'SunsetRequiresEndTs',
  515: 'PlanNotExpired',
  516: 'PlanClosed',
  517: 'AlreadySubscribed',
  518: 'PlanAlreadyExists',
  519: 'PlanTermsMismatch',
  520: 'PlanEndTsCannotExtend',
  521: 'StaleSubscriptionApproval',
  522: 'StalePlanApproval',
  600: 'InvalidEventAuthority',
  601: 'InvalidEventData',
  602: 'InvalidEventTag',
  603: 'InvalidEventDiscriminator',
  604: 'InvalidSelfProgram',
} as const;

/** A name of `PROGRAM_ERRORS`. */
export type ProgramErrorName = (typeof PROGRAM_ERRORS)[keyof typeof PROGRAM_ERRORS];

const codes = new Map<string, number>(
  Object.entries(PROGRAM_ERRORS).map(([code, name]) => [name, Number(code)]),
);

/** Fails the instruction with the program's own code for `name`. */
export function refuse(name: ProgramErrorName): never {
  const code = codes.get(name);
  if (code === undefined) throw new Error(`${name} is not an error of the Subscriptions program.`);
  throw new InstructionFailure({ Custom: code });
}
