import type { InvokeContext, Program } from '../runtime/program.js';
import { planData } from './accounts.js';
import { notImplemented, refuse } from './errors.js';
import { emitEvent } from './events.js';
import {
  closeSubscriptionAuthority,
  initSubscriptionAuthority,
  revokeSubscriptionAuthority,
} from './instructions/authority.js';
import {
  cancelSubscription,
  cancelSubscriptionNow,
  cancelSubscriptionNowPayload,
  resumeSubscription,
  resumeSubscriptionPayload,
} from './instructions/cancel.js';
import { revokeAbandonedSubscription, revokeDelegation } from './instructions/close.js';
import { createPlan, deletePlan, updatePlan, updatePlanPayload } from './instructions/plan.js';
import { reclaimExcessRent } from './instructions/reclaim.js';
import { subscribe, subscribePayload } from './instructions/subscribe.js';
import { transferPayload, transferSubscription } from './instructions/transfer.js';
import type { Struct } from '../runtime/layout.js';

type Run = (context: InvokeContext, payload: Uint8Array) => void;

interface Instruction {
  readonly run: Run;
  /** The ELF's own units for it, about the middle of program#network-fee-and-compute-units. */
  readonly units: bigint;
}

/** An instruction with a payload, whose length is checked before any account is read; another is 112. */
function withPayload<T>(layout: Struct<T>, run: (context: InvokeContext, payload: T) => void): Run {
  return (context, payload) => {
    if (payload.length !== layout.size) refuse('InvalidInstructionData');
    run(context, layout.decode(payload));
  };
}

function unimplemented(name: string): Run {
  return (context) => notImplemented(context, name);
}

/** The units of an instruction that does not exist, or always fails. */
const UNITS_OF_A_REFUSAL = 100n;

// Instructions by selector, the first byte of the data (program#instruction-dispatch).
const ROWS: readonly (readonly [selector: number, run: Run, units?: bigint])[] = [
  [0, initSubscriptionAuthority, 5_700n],
  [1, unimplemented('create_fixed_delegation')],
  [2, unimplemented('create_recurring_delegation')],
  [3, revokeDelegation, 400n],
  [4, unimplemented('transfer_fixed')],
  [5, unimplemented('transfer_recurring')],
  [6, closeSubscriptionAuthority, 1_800n],
  [7, withPayload(planData, createPlan), 4_500n],
  [8, withPayload(updatePlanPayload, updatePlan), 500n],
  [9, deletePlan, 400n],
  [10, withPayload(transferPayload, transferSubscription), 4_800n],
  [11, withPayload(subscribePayload, subscribe), 6_500n],
  [12, cancelSubscription, 750n],
  [13, withPayload(resumeSubscriptionPayload, resumeSubscription), 600n],
  [14, revokeSubscriptionAuthority, 3_500n],
  [15, unimplemented('revoke_abandoned_delegation')],
  [16, revokeAbandonedSubscription, 2_000n],
  [17, withPayload(cancelSubscriptionNowPayload, cancelSubscriptionNow), 750n],
  [18, reclaimExcessRent, 400n],
  [228, emitEvent, 100n],
];
const INSTRUCTIONS: ReadonlyMap<number, Instruction> = new Map(
  ROWS.map(([selector, run, units = UNITS_OF_A_REFUSAL]) => [selector, { run, units }]),
);

const instructionOf = ([selector]: Uint8Array): Instruction | undefined =>
  selector === undefined ? undefined : INSTRUCTIONS.get(selector);

/**
 * The Subscriptions program v0.5.0 in TypeScript, with `reclaim_excess_rent` of later builds. Instructions of
 * fixed and recurring delegations fail with `ProgramFailedToComplete` and a log line that says so. Other
 * failures are codes of the program, codes of the programs it invokes, and a few built-in errors. Empty data
 * and unknown selectors are 114.
 */
export const subscriptionsProgram: Program = Object.assign(
  (context: InvokeContext) => {
    const instruction = instructionOf(context.data);
    if (instruction === undefined) refuse('InvalidInstruction');
    instruction.run(context, context.data.subarray(1));
  },
  { units: (data: Uint8Array) => instructionOf(data)?.units ?? UNITS_OF_A_REFUSAL },
);
