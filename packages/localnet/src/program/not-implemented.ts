import { InstructionFailure, type InvokeContext } from '../runtime/program.js';

/**
 * Fails an instruction of fixed and recurring delegations, and logs its name (program#fixed-and-recurring-delegations).
 * The error is one that a program cannot return, so that it is not mistaken for an error of the real Subscriptions
 * program.
 */
export function notImplemented(context: InvokeContext, what: string): never {
  context.log(`${what} is not implemented by this local chain; load the program's ELF to use it`);
  throw new InstructionFailure('ProgramFailedToComplete');
}
