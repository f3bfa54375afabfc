import { type Address, type Instruction, address } from '@solana/kit';
import type { BuildAsk, ChargeAsk, ChargeView } from '@subrail/core';
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
  readonly replacesApproval: boolean;
}

/** The recipe of a transaction a wallet is to sign (program.md 6). */
export async function recipeOf(ask: BuildAsk, addresses: Addresses, charger: Address): Promise<Recipe> {
  switch (ask.recipe) {
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
        replacesApproval: false,
      };
    }
  }
}

/** The one instruction of a charge: `amount` to the account named, called by the charger. */
export function payment(
  ask: ChargeAsk,
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

type FirstPayment = Extract<BuildAsk, { recipe: 'subscribe' | 'comeback' }>;

async function subscribeRecipe(ask: FirstPayment, addresses: Addresses, charger: Address): Promise<Recipe> {
  const where = await chargeAccountsOf(ask, addresses);
  const { plan, view } = ask;
  const owner = address(plan.owner);
  const [, planBump] = await addresses.plan(owner, plan.number);
  const approval = approvalFor(ask, where);
  return {
    feePayer: address(ask.wallet),
    instructions: [
      ...approval.instructions,
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
    replacesApproval: approval.replaces,
  };
}

async function comebackRecipe(ask: FirstPayment, addresses: Addresses, charger: Address): Promise<Recipe> {
  const where = await chargeAccountsOf(ask, addresses);
  const approval = approvalFor(ask, where);
  return {
    feePayer: address(ask.wallet),
    instructions: [...approval.instructions, fullPrice(ask, where, charger)],
    opens: [],
    replacesApproval: approval.replaces,
  };
}

async function createPlanRecipe(
  ask: Extract<BuildAsk, { recipe: 'create_plan' }>,
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
    replacesApproval: false,
  };
}

type Change = Extract<BuildAsk, { recipe: 'cancel' | 'resume' | 'close' }>;

function changeOf(ask: Change, where: ChargeAccounts & { readonly wallet: Address }): Instruction[] {
  switch (ask.recipe) {
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

/** Opens the authority, or approves it again, unless it stands and may spend the price. */
function approvalFor(
  { plan, wallet, view }: FirstPayment,
  where: ChargeAccounts,
): { instructions: Instruction[]; replaces: boolean } {
  const delegate = view.source?.delegate ?? null;
  const foreign = delegate !== null && delegate !== view.authority.address;
  if (view.authority.generation !== null && approves(view, plan.amount)) {
    return { instructions: [], replaces: false };
  }
  const init = initAuthority({
    ...where,
    wallet: address(wallet),
    tokenAccount: where.source,
    tokenProgram: address(plan.tokenProgram),
  });
  return { instructions: [init], replaces: foreign };
}

function approves({ source, authority }: ChargeView, amount: bigint): boolean {
  return source !== null && source.delegate === authority.address && source.delegatedAmount >= amount;
}

/**
 * A first payment asks the full price, also of a period someone pulled a part of: the chain then refuses it, and so
 * never takes a period's price twice (program.md 6).
 */
function fullPrice(ask: FirstPayment, where: ChargeAccounts, charger: Address): Instruction {
  const receiver = address(ask.view.receiver?.address ?? where.receiver);
  return payment(ask, where, { amount: ask.plan.amount, receiver, charger });
}
