import type { Program } from '../runtime/program.js';
import { dispatch } from './dispatch.js';

export { SUBSCRIPTIONS_PROGRAM } from '../runtime/addresses.js';
export { EVENT_AUTHORITY } from './pdas.js';
export { PROGRAM_ERRORS, type ProgramErrorName } from './errors.js';

/**
 * The Subscriptions program under the rules of v0.5.0, without fixed and recurring delegations (program#instruction-dispatch). It fails
 * with `InstructionFailure`: the codes of `PROGRAM_ERRORS`, those of the programs it invokes, and a few built-in errors.
 */
export const subscriptionsProgram: Program = dispatch;
