import type { Program } from '../runtime/program.js';
import { dispatch } from './dispatch.js';

/**
 * The Subscriptions program v0.5.0 in TypeScript, with `reclaim_excess_rent` of later builds, for `createLocalnet`, which
 * runs it by default. It does not have
 * fixed and recurring delegations: their instructions fail with `ProgramFailedToComplete` and a log line that says so.
 * Its other failures are the program's own codes, the codes of the programs it invokes, and a few built-in errors.
 */
export const subscriptionsProgram: Program = dispatch;
