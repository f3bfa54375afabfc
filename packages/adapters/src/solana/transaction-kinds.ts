import { type Address, type Instruction, address } from '@solana/kit';
import type { BuildRequest, ChargeTarget, ChargeView, PlanOnChain } from '@subrail/core/ports';
import { type ChargeAccounts, chargeAccountsOf } from './charge-accounts.js';
import type { Addresses } from './program/addresses.js';
import { createPlan } from './program/plan-instructions.js';
import {
  UNKNOWN_INIT_ID,
  cancel,
  initAuthority,
  resume,
  revoke,
  revokeAbandoned,
  subscribe,
} from './program/subscriber-instructions.js';
import { transfer } from './program/transfer-instruction.js';
import { secondsOf } from './time.js';

/** What a transaction is made of, beside its compute budget and its blockhash. */
export interface Recipe {
  /** Signs first and pays the fee. */
  readonly feePayer: Address;
  readonly instructions: readonly Instruction[];
  /** Accounts whose rent it pays. */
  readonly opens: readonly ('subscription' | 'authority' | 'plan')[];
}

/** The recipe of a transaction a wallet is to sign (program#first-payment-transaction). */
export async function recipeOf(ask: BuildRequest, addresses: Addresses, charger: Address): Promise<Recipe> {
  switch (ask.kind) {
    case 'subscribe':
      return subscribeRecipe(ask, addresses, charger);
    case 'comeback':
      return comebackRecipe(ask, addresses, charger);
    case 'create_plan':
      return createPlanRecipe(ask, addresses);
    case 'cancel':
    case 'resume':
    case 'close': {
      const where = await chargeAccountsOf(ask, addresses);
      return {
        feePayer: address(ask.wallet),
        instructions: changeOf(ask, { ...where, wallet: address(ask.wallet) }),
        opens: [],
      };
    }
  }
}

/** The one instruction of a charge: `amount` to the account named, called by the charger. */
export function payment(
  ask: ChargeTarget,
  where: ChargeAccounts,
  { amount, receiver, charger }: { amount: bigint; receiver: Address; charger: Address },
): Instruction {
  return transfer({
    ...where,
    tokenProgram: address(ask.plan.tokenProgram),
    wallet: address(ask.wallet),
    charger,
    receiver,
    amount,
  });
}

type FirstPayment = Extract<BuildRequest, { kind: 'subscribe' | 'comeback' }>;

async function subscribeRecipe(ask: FirstPayment, addresses: Addresses, charger: Address): Promise<Recipe> {
  const where = await chargeAccountsOf(ask, addresses);
  const { plan, view } = ask;
  const owner = address(plan.owner);
  const [, planBump] = await addresses.plan(owner, plan.number);
  return {
    feePayer: address(ask.wallet),
    instructions: [
      ...approvalFor(ask, where),
      subscribe({
        ...where,
        wallet: address(ask.wallet),
        owner,
        planBump,
        planId: plan.number,
        amount: plan.amount,
        periodHours: plan.periodHours,
        createdAt: secondsOf(plan.createdAt),
        initId: view.authority.generation ?? UNKNOWN_INIT_ID,
      }),
      fullPrice(ask, where, charger),
    ],
    opens: view.authority.generation === null ? ['subscription', 'authority'] : ['subscription'],
  };
}

async function comebackRecipe(ask: FirstPayment, addresses: Addresses, charger: Address): Promise<Recipe> {
  const where = await chargeAccountsOf(ask, addresses);
  return {
    feePayer: address(ask.wallet),
    instructions: [...approvalFor(ask, where), fullPrice(ask, where, charger)],
    opens: [],
  };
}

async function createPlanRecipe(
  ask: Extract<BuildRequest, { kind: 'create_plan' }>,
  addresses: Addresses,
): Promise<Recipe> {
  const owner = address(ask.owner);
  const [plan] = await addresses.plan(owner, ask.number);
  return {
    feePayer: owner,
    instructions: [
      createPlan({
        owner,
        plan,
        planId: ask.number,
        mint: address(ask.mint),
        tokenProgram: address(ask.tokenProgram),
        amount: ask.amount,
        periodHours: ask.periodHours,
        endTs: ask.endsAt === null ? 0n : secondsOf(ask.endsAt),
        destinations: ask.destinations.map((wallet) => address(wallet)),
        pullers: ask.pullers.map((wallet) => address(wallet)),
        metadata: ask.metadata,
      }),
    ],
    opens: ['plan'],
  };
}

type Change = Extract<BuildRequest, { kind: 'cancel' | 'resume' | 'close' }>;

function changeOf(ask: Change, where: ChargeAccounts & { readonly wallet: Address }): Instruction[] {
  switch (ask.kind) {
    case 'cancel':
      return [cancel(where)];
    case 'resume':
      return [resume({ ...where, expiresAt: secondsOf(ask.expiresAt) })];
    case 'close': {
      const closing = revoke({ ...where, payer: address(ask.payer) });
      switch (ask.by) {
        case 'revoke':
          return [closing];
        case 'cancel_and_revoke':
          return [cancel(where), closing];
        case 'revoke_abandoned':
          return [revokeAbandoned({ ...where, payer: where.wallet })];
      }
    }
  }
}

/** How long an approval must last for a subscriber to be left alone with it: an hour-long period has that many in ten years. */
const HOURS_APPROVED = 10 * 8_760;

/** Opens the authority, or approves it again, unless it stands and its approval will last. */
function approvalFor({ plan, wallet, view }: FirstPayment, where: ChargeAccounts): Instruction[] {
  if (view.authority.generation !== null && approves(view, plan)) return [];
  return [
    initAuthority({
      ...where,
      wallet: address(wallet),
      tokenAccount: where.source,
      tokenProgram: address(plan.tokenProgram),
    }),
  ];
}

/** One that runs out after a few periods would make a customer late who has the money. */
function approves({ source, authority }: ChargeView, plan: PlanOnChain): boolean {
  const lasting = plan.amount * BigInt(Math.ceil(HOURS_APPROVED / plan.periodHours));
  return source !== null && source.delegate === authority.address && source.delegatedAmount >= lasting;
}

/**
 * A first payment asks the full price, also of a period someone pulled a part of: the chain then refuses it, and so
 * never takes a period's price twice (program#first-payment-transaction).
 */
function fullPrice(ask: FirstPayment, where: ChargeAccounts, charger: Address): Instruction {
  const receiver = address(ask.view.receiver?.address ?? where.receiver);
  return payment(ask, where, { amount: ask.plan.amount, receiver, charger });
}
