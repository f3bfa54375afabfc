import type { InvokeContext } from '../../runtime/program.js';
import { PLAN_DISCRIMINATOR, PLAN_STATUS, type PlanData, planLayout } from '../accounts/plan.js';
import { findPlan } from '../pdas.js';
import {
  atLeast,
  rentPayer,
  requireMint,
  requireSigner,
  requireSystemProgram,
  requireTokenProgram,
  requireWritable,
} from '../checks.js';
import { createProgramAccount } from '../create-account.js';
import { refuse } from '../errors.js';
import { requireEndBeyondOnePeriod } from '../plan-end.js';

const MAX_PERIOD_HOURS = 8760n;

/** Creates an active plan from the payload, whose `createdAt` is replaced by now (program#create-plan). */
export function createPlan(context: InvokeContext, payload: PlanData): void {
  const now = context.clock.unixTimestamp;
  const { amount, periodHours } = payload.terms;
  if (amount === 0n) refuse('InvalidAmount');
  if (periodHours === 0n || periodHours > MAX_PERIOD_HOURS) refuse('InvalidPeriodLength');
  requireEndBeyondOnePeriod(payload.endTs, periodHours, now);

  const [merchant, plan, mint, system, tokenProgram] = atLeast(5, context.accounts);
  requireSigner(merchant);
  requireWritable(merchant);
  requireWritable(plan);
  requireMint(context, mint, tokenProgram);
  requireTokenProgram(tokenProgram);
  requireSystemProgram(system);
  const payer = rentPayer(merchant, context.accounts[5]);

  if (mint.address !== payload.mint) refuse('MintMismatch');
  if (context.read(plan.address).data.length > 0) refuse('PlanAlreadyExists');
  const derived = findPlan(merchant.address, payload.planId);
  if (derived.address !== plan.address) refuse('InvalidPlanPda');
  createProgramAccount(
    context,
    plan.address,
    payer.address,
    planLayout.encode({
      discriminator: PLAN_DISCRIMINATOR,
      owner: merchant.address,
      bump: derived.bump,
      status: PLAN_STATUS.active,
      data: { ...payload, terms: { amount, periodHours, createdAt: now } },
    }),
  );
}
