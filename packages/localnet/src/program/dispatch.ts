import type { InvokeContext, Program } from '../runtime/program.js';
import { planData } from './accounts/plan.js';
import { refuse } from './errors.js';
import {
  cancelSubscriptionNow,
  cancelSubscriptionNowPayload,
} from './instructions/cancel-subscription-now.js';
import { cancelSubscription } from './instructions/cancel-subscription.js';
import { closeSubscriptionAuthority } from './instructions/close-subscription-authority.js';
import { createPlan } from './instructions/create-plan.js';
import { deletePlan } from './instructions/delete-plan.js';
import { emitEvent } from './instructions/emit-event.js';
import { initSubscriptionAuthority } from './instructions/init-subscription-authority.js';
import { reclaimExcessRent } from './instructions/reclaim-excess-rent.js';
import { resumeSubscription, resumeSubscriptionPayload } from './instructions/resume-subscription.js';
import { revokeAbandonedSubscription } from './instructions/revoke-abandoned-subscription.js';
import { revokeDelegation } from './instructions/revoke-delegation.js';
import { revokeSubscriptionAuthority } from './instructions/revoke-subscription-authority.js';
import { subscribe, subscribePayload } from './instructions/subscribe.js';
import { transferPayload, transferSubscription } from './instructions/transfer-subscription.js';
import { updatePlan, updatePlanPayload } from './instructions/update-plan.js';
import type { Struct } from './layout.js';
import { notImplemented } from './not-implemented.js';

type Run = (context: InvokeContext, payload: Uint8Array) => void;

interface Instruction {
  readonly run: Run;
  /** What the ELF uses for it, without what it invokes, near the middle of program#network-fee-and-compute-units. */
  readonly units: bigint;
}

/** An instruction with a payload. The length of the payload is checked before any account is read; another length is 112. */
function withPayload<T>(layout: Struct<T>, run: (context: InvokeContext, payload: T) => void): Run {
  return (context, payload) => {
    if (payload.length !== layout.size) refuse('InvalidInstructionData');
    run(context, layout.decode(payload));
  };
}

function unimplemented(name: string): Run {
  return (context) => notImplemented(context, name);
}

// Instructions by selector, the first byte of the data (program#instruction-dispatch).
const INSTRUCTIONS: ReadonlyMap<number, Instruction> = new Map(
  (
    [
      [0, 5_700n, initSubscriptionAuthority],
      [1, 300n, unimplemented('create_fixed_delegation')],
      [2, 300n, unimplemented('create_recurring_delegation')],
      [3, 400n, revokeDelegation],
      [4, 300n, unimplemented('transfer_fixed')],
      [5, 300n, unimplemented('transfer_recurring')],
      [6, 1_800n, closeSubscriptionAuthority],
      [7, 4_500n, withPayload(planData, createPlan)],
      [8, 500n, withPayload(updatePlanPayload, updatePlan)],
      [9, 400n, deletePlan],
      [10, 4_800n, withPayload(transferPayload, transferSubscription)],
      [11, 6_500n, withPayload(subscribePayload, subscribe)],
      [12, 750n, cancelSubscription],
      [13, 600n, withPayload(resumeSubscriptionPayload, resumeSubscription)],
      [14, 3_500n, revokeSubscriptionAuthority],
      [15, 300n, unimplemented('revoke_abandoned_delegation')],
      [16, 2_000n, revokeAbandonedSubscription],
      [17, 750n, withPayload(cancelSubscriptionNowPayload, cancelSubscriptionNow)],
      [18, 400n, reclaimExcessRent],
      [228, 100n, emitEvent],
    ] as const
  ).map(([selector, units, run]) => [selector, { units, run }]),
);

const instructionOf = ([selector]: Uint8Array): Instruction | undefined =>
  selector === undefined ? undefined : INSTRUCTIONS.get(selector);

/** Runs the instruction that the data selects; empty data and unknown selectors are 114. */
export const dispatch: Program = Object.assign(
  (context: InvokeContext) => {
    const instruction = instructionOf(context.data);
    if (instruction === undefined) refuse('InvalidInstruction');
    instruction.run(context, context.data.subarray(1));
  },
  { units: (data: Uint8Array) => instructionOf(data)?.units ?? 100n },
);
