import { InstructionFailure, type InvokeContext } from '../runtime/program.js';

/**
 * Refuses what belongs to fixed and recurring delegations, by name in the log. The error is one that a program can never
 * return of itself, so that nobody takes it for an answer of the Subscriptions program.
 */
export function notImplemented(context: InvokeContext, what: string): never {
  context.log(`${what} is not implemented by this local chain; load the program's ELF to use it`);
  throw new InstructionFailure('ProgramFailedToComplete');
}
