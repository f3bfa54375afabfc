import { type Address, type TransactionError, getSolanaErrorFromTransactionError } from '@solana/kit';
import type { ChainRefusal } from '@subrail/core/ports';
import { SUBSCRIPTIONS_PROGRAM, SYSTEM_PROGRAM } from '../program/addresses.js';
import { nameOfCustomError } from '../program/errors.js';
import { LIGHTHOUSE_PROGRAM } from '../sign/guests.js';
import { refusalOf } from './refusal.js';
import type { Message } from './wire.js';

/** The code of the system program, and of a token program, for a transfer of more than there is. */
const TOO_LITTLE = 1;

const TOO_LITTLE_SOL = 'the wallet has too little SOL for fees and rent';
/** The programs that create accounts with the wallet's lamports. */
const OPENS_ACCOUNTS: readonly (Address | undefined)[] = [SYSTEM_PROGRAM, SUBSCRIPTIONS_PROGRAM];

/** The meaning of each code that a token program can raise in a first payment. */
const OF_TOKENS: Readonly<Record<number, string>> = {
  1: 'the wallet has fewer tokens than the payment takes',
  4: "the wallet's account for the token has another owner, or another approval",
  17: "the wallet's or the receiver's account for the token is frozen",
  36: "the receiver's account refuses payments without a memo",
  37: 'the token cannot be transferred',
  45: "the wallet's account for the token has its CPI guard on, which refuses the approval",
  49: "the receiver's account takes confidential payments only",
  67: "the token's issuer has paused every transfer of it",
};

/** The reason of a refusal by the runtime, as a part of a sentence for a person. */
export function causeOf(error: TransactionError, message: Message): string {
  if (typeof error === 'string' ? error.startsWith('InsufficientFunds') : 'InsufficientFundsForRent' in error)
    return TOO_LITTLE_SOL;
  if (typeof error === 'string' || !('InstructionError' in error)) return fromKit(error);
  const [index, reason] = error.InstructionError as readonly [bigint | number, unknown];
  if (reason === 'ComputationalBudgetExceeded' || reason === 'ProgramFailedToComplete')
    return 'it needs more than its limit of compute units';
  if (typeof reason !== 'object' || reason === null || !('Custom' in reason)) return fromKit(error);
  const { instructions, staticAccounts } = message;
  const program = staticAccounts[instructions[Number(index)]?.programAddressIndex ?? -1];
  return causeOfCode(Number(reason.Custom), program, refusalOf(error, message));
}

function causeOfCode(code: number, program: Address | undefined, { kind }: ChainRefusal): string {
  if (program === LIGHTHOUSE_PROGRAM)
    return `a guard that the wallet added does not hold (Lighthouse, error ${code})`;
  // Only a payment moves tokens. The other instructions open accounts, for which the wallet pays.
  if (code === TOO_LITTLE && kind === 'chain' && OPENS_ACCOUNTS.includes(program)) return TOO_LITTLE_SOL;
  if (program !== SUBSCRIPTIONS_PROGRAM) return `the program ${program} answers ${code}`;
  const name = nameOfCustomError(code);
  return OF_TOKENS[code] ?? `the Subscriptions program answers ${code}${name === null ? '' : ` (${name})`}`;
}

function fromKit(error: TransactionError): string {
  const { message } = getSolanaErrorFromTransactionError(error);
  return `the chain says: ${message.replace(/\.$/, '')}`;
}
