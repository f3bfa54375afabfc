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
import { resumeSubscription, resumeSubscriptionPayload } from './instructions/resume-subscription.js';
import { revokeAbandonedSubscription } from './instructions/revoke-abandoned-subscription.js';
import { revokeDelegation } from './instructions/revoke-delegation.js';
import { revokeSubscriptionAuthority } from './instructions/revoke-subscription-authority.js';
import { subscribe, subscribePayload } from './instructions/subscribe.js';
import { transferPayload, transferSubscription } from './instructions/transfer-subscription.js';
import { updatePlan, updatePlanPayload } from './instructions/update-plan.js';
import type { Struct } from './layout.js';
import { notImplemented } from './not-implemented.js';

type Instruction = (context: InvokeContext, payload: Uint8Array) => void;

/** An instruction with a payload. The length of the payload is checked before any account is read; another length is 112. */
function withPayload<T>(layout: Struct<T>, run: (context: InvokeContext, payload: T) => void): Instruction {
  return (context, payload) => {
    if (payload.length !== layout.size) refuse('InvalidInstructionData');
    run(context, layout.decode(payload));
  };
}

function unimplemented(name: string): Instruction {
  return (context) => notImplemented(context, name);
}

// Instructions by selector, the first byte of the data (program#instruction-dispatch).
const INSTRUCTIONS: ReadonlyMap<number, Instruction> = new Map([
  [0, initSubscriptionAuthority],
  [1, unimplemented('create_fixed_delegation')],
  [2, unimplemented('create_recurring_delegation')],
  [3, revokeDelegation],
  [4, unimplemented('transfer_fixed')],
  [5, unimplemented('transfer_recurring')],
  [6, closeSubscriptionAuthority],
  [7, withPayload(planData, createPlan)],
  [8, withPayload(updatePlanPayload, updatePlan)],
  [9, deletePlan],
  [10, withPayload(transferPayload, transferSubscription)],
  [11, withPayload(subscribePayload, subscribe)],
  [12, cancelSubscription],
  [13, withPayload(resumeSubscriptionPayload, resumeSubscription)],
  [14, revokeSubscriptionAuthority],
  [15, unimplemented('revoke_abandoned_delegation')],
  [16, revokeAbandonedSubscription],
  [17, withPayload(cancelSubscriptionNowPayload, cancelSubscriptionNow)],
  [228, emitEvent],
]);

/** Runs the instruction that the data selects; empty data and unknown selectors are 114. */
export const dispatch: Program = (context) => {
  const [selector] = context.data;
  const instruction = selector === undefined ? undefined : INSTRUCTIONS.get(selector);
  if (instruction === undefined) refuse('InvalidInstruction');
  instruction(context, context.data.subarray(1));
};
