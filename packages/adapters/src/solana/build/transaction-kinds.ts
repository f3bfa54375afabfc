import { type Address, type Instruction, address } from '@solana/kit';
import type { BuildRequest, ChargeTarget, ChargeView, PlanOnChain } from '@subrail/core/ports';
import { type ChargeAccounts, chargeAccountsOf } from '../read/charge-accounts.js';
import type { Addresses } from '../program/addresses.js';
import { createPlan, deletePlan } from '../program/plan-instructions.js';
import {
  UNKNOWN_INIT_ID,
  cancel,
  initAuthority,
  resume,
  revoke,
  revokeAbandoned,
  subscribe,
} from '../program/subscriber-instructions.js';
import { transfer } from '../program/transfer-instruction.js';
import { toUnixSeconds } from '../program/unix-time.js';

/** The parts of a transaction that depend on its kind: all but the compute budget and the blockhash. */
export interface TransactionParts {
  /** The wallet that signs first and pays the fee. */
  readonly feePayer: Address;
  readonly instructions: readonly Instruction[];
  /** The accounts it opens, whose rent the fee payer funds. */
  readonly opens: readonly ('subscription' | 'authority' | 'plan')[];
  /** Whether it approves the authority on the wallet's token account. */
  readonly approves: boolean;
}

/** The parts of a transaction of a kind that needs no further read of the chain, for a wallet to sign. */
export async function transactionParts(
  request: Exclude<BuildRequest, { kind: 'update_plan' }>,
  addresses: Addresses,
  charger: Address,
): Promise<TransactionParts> {
  switch (request.kind) {
    case 'subscribe':
      return subscribeParts(request, addresses, charger);
    case 'change': {
      const parts = await subscribeParts(request, addresses, charger);
      const wallet = address(request.wallet);
      const replaced = await chargeAccountsOf({ plan: request.replaced, wallet }, addresses);
      return { ...parts, instructions: [cancel({ ...replaced, wallet }), ...parts.instructions] };
    }
    case 'comeback':
      return comebackParts(request, addresses, charger);
    case 'create_plan':
      return createPlanParts(request, addresses);
    case 'delete_plan': {
      const owner = address(request.owner);
      const instruction = deletePlan({ owner, plan: address(request.address) });
      return { feePayer: owner, instructions: [instruction], opens: [], approves: false };
    }
    case 'cancel':
    case 'resume':
    case 'close': {
      const accounts = await chargeAccountsOf(request, addresses);
      return {
        feePayer: address(request.wallet),
        instructions: changeInstructions(request, { ...accounts, wallet: address(request.wallet) }),
        opens: [],
        approves: false,
      };
    }
  }
}

/** The instruction that pays `amount` to the given token account, signed by the charger. */
export function paymentInstruction(
  request: ChargeTarget,
  accounts: ChargeAccounts,
  { amount, receiver, charger }: { amount: bigint; receiver: Address; charger: Address },
): Instruction {
  return transfer({
    ...accounts,
    tokenProgram: address(request.plan.tokenProgram),
    wallet: address(request.wallet),
    charger,
    receiver,
    amount,
  });
}

type FirstPayment = Extract<BuildRequest, { kind: 'subscribe' | 'comeback' | 'change' }>;

async function subscribeParts(
  request: FirstPayment,
  addresses: Addresses,
  charger: Address,
): Promise<TransactionParts> {
  const accounts = await chargeAccountsOf(request, addresses);
  const { plan, view } = request;
  const owner = address(plan.owner);
  const [, planBump] = await addresses.plan(owner, plan.number);
  const approval = approvalFor(request, accounts);
  return {
    feePayer: address(request.wallet),
    instructions: [
      ...approval,
      subscribe({
        ...accounts,
        wallet: address(request.wallet),
        owner,
        planBump,
        planId: plan.number,
        amount: plan.amount,
        periodHours: plan.periodHours,
        createdAt: toUnixSeconds(plan.createdAt),
        initId: view.authority.generation ?? UNKNOWN_INIT_ID,
      }),
      fullPrice(request, accounts, charger),
    ],
    opens: view.authority.generation === null ? ['subscription', 'authority'] : ['subscription'],
    approves: approval.length > 0,
  };
}

async function comebackParts(
  request: FirstPayment,
  addresses: Addresses,
  charger: Address,
): Promise<TransactionParts> {
  const accounts = await chargeAccountsOf(request, addresses);
  const approval = approvalFor(request, accounts);
  return {
    feePayer: address(request.wallet),
    instructions: [...approval, fullPrice(request, accounts, charger)],
    opens: [],
    approves: approval.length > 0,
  };
}

async function createPlanParts(
  request: Extract<BuildRequest, { kind: 'create_plan' }>,
  addresses: Addresses,
): Promise<TransactionParts> {
  const owner = address(request.owner);
  const [plan] = await addresses.plan(owner, request.number);
  return {
    feePayer: owner,
    instructions: [
      createPlan({
        owner,
        plan,
        planId: request.number,
        mint: address(request.mint),
        tokenProgram: address(request.tokenProgram),
        amount: request.amount,
        periodHours: request.periodHours,
        endTs: request.endsAt === null ? 0n : toUnixSeconds(request.endsAt),
        destinations: request.destinations.map((wallet) => address(wallet)),
        pullers: request.pullers.map((wallet) => address(wallet)),
        metadata: request.metadata,
      }),
    ],
    opens: ['plan'],
    approves: false,
  };
}

type Change = Extract<BuildRequest, { kind: 'cancel' | 'resume' | 'close' }>;

function changeInstructions(
  request: Change,
  accounts: ChargeAccounts & { readonly wallet: Address },
): Instruction[] {
  switch (request.kind) {
    case 'cancel':
      return [cancel(accounts)];
    case 'resume':
      return [resume({ ...accounts, expiresAt: toUnixSeconds(request.expiresAt) })];
    case 'close': {
      const revoking = revoke({ ...accounts, payer: address(request.payer) });
      switch (request.by) {
        case 'revoke':
          return [revoking];
        case 'cancel_and_revoke':
          return [cancel(accounts), revoking];
        case 'revoke_abandoned':
          return [revokeAbandoned({ ...accounts, payer: accounts.wallet })];
      }
    }
  }
}

/** An approval is enough when it covers the periods of ten years. */
const APPROVED_HOURS = 10 * 8_760;

/** The instruction that opens or approves the authority; none when it is open and its approval is enough. */
function approvalFor({ plan, wallet, view }: FirstPayment, accounts: ChargeAccounts): Instruction[] {
  if (view.authority.generation !== null && isApprovalEnough(view, plan)) return [];
  return [
    initAuthority({
      ...accounts,
      wallet: address(wallet),
      tokenAccount: accounts.source,
      tokenProgram: address(plan.tokenProgram),
    }),
  ];
}

/** Whether the approval lasts: a customer with tokens must not fail for an approval that ran out. */
function isApprovalEnough({ source, authority }: ChargeView, plan: PlanOnChain): boolean {
  const enough = plan.amount * BigInt(Math.ceil(APPROVED_HOURS / plan.periodHours));
  return source !== null && source.delegate === authority.address && source.delegatedAmount >= enough;
}

/**
 * Pays the full price. The program refuses it when part of the period is paid, so no period is paid twice
 * (program#first-payment-transaction).
 */
function fullPrice(request: FirstPayment, accounts: ChargeAccounts, charger: Address): Instruction {
  const receiver = address(request.view.receiver?.address ?? accounts.receiver);
  return paymentInstruction(request, accounts, { amount: request.plan.amount, receiver, charger });
}
