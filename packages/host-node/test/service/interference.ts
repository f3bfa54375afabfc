import {
  AuthorityType,
  getApproveInstruction,
  getCloseAccountInstruction,
  getRevokeInstruction,
  getSetAuthorityInstruction,
} from '@solana-program/token-2022';
import { AccountRole, address, generateKeyPairSigner, type Address, type KeyPairSigner } from '@solana/kit';
import {
  SUBSCRIPTIONS_PROGRAM,
  UNKNOWN_INIT_ID,
  cancel,
  createAddresses,
  createPlan,
  decodeAuthority,
  decodePlan,
  decodeSubscription,
  deletePlan,
  initAuthority,
  resume,
  revoke,
  subscribe,
  transfer,
  updatePlan,
} from '@subrail/adapters/solana';
import type { Plan, ProjectId } from '@subrail/core';
import { accountOf } from '../../src/world/token.js';
import { sendInstructions } from '../../src/world/wallet.js';
import { PRICE, type World } from './world.js';

const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const TOKEN = { programAddress: TOKEN_PROGRAM };
/** Where a token account says that it is frozen (program.md 5.4). */
const STATE_BYTE = 108;
const FROZEN = 2;

/** What the other parties do on chain without the service: the wallet, the plan's owner, and the token's issuer. */
export interface Interference {
  /** The wallet takes its approval back. */
  revokeApproval(): Promise<void>;
  /** The wallet approves less than the price. */
  approveLittle(): Promise<void>;
  closeAuthority(): Promise<void>;
  reopenAuthority(): Promise<void>;
  reassignTokenAccount(): Promise<void>;
  /** The wallet empties and closes its token account. */
  closeTokenAccount(): Promise<void>;
  /** The wallet subscribes without the service, and pays nothing. */
  subscribe(): Promise<void>;
  cancel(): Promise<void>;
  /** The wallet undoes its cancellation. */
  resume(): Promise<void>;
  /** The wallet closes its cancelled and expired subscription. */
  closeSubscription(): Promise<void>;
  /** The wallet closes its cancelled and expired subscription and makes another, in one transaction. */
  remake(): Promise<void>;
  /** The owner takes the charger off the plan. */
  removeCharger(): Promise<void>;
  deletePlan(): Promise<void>;
  /** The owner makes another plan under the same number. */
  recreatePlan(): Promise<void>;
  /** The owner pulls the period itself. */
  pullAsOwner(): Promise<void>;
  /** The receiving account goes to somebody else. */
  reassignReceiver(): Promise<void>;
  freeze(whose: 'wallet' | 'owner'): Promise<void>;
  thaw(whose: 'wallet' | 'owner'): Promise<void>;
  /** The account of the receiving wallet, or the mint, is no more. */
  remove(what: 'receiver' | 'mint'): Promise<void>;
}

export async function interfere(world: World, wallet: KeyPairSigner, slug = 'pro'): Promise<Interference> {
  const { chain, token, owner, charger } = world;
  const addresses = createAddresses();
  const plan = await planOf(world, slug);
  const planAddress = address(plan.address);
  const authority = await addresses.authority(wallet.address, token.mint);
  const subscription = await addresses.subscription(planAddress, wallet.address);
  const source = await accountOf(token, wallet.address);
  const receiver = await accountOf(token, owner.address);
  const by = (signer: KeyPairSigner, ...instructions: Parameters<typeof sendInstructions>[2]) =>
    world.inANewSlot(() => sendInstructions(world.rpc, signer, instructions));
  const accountOfSide = { wallet: source, owner: receiver };
  const setState = (account: Address, state: number) => {
    const data = Uint8Array.from(chain.getAccount(account)?.data ?? []);
    data[STATE_BYTE] = state;
    chain.setAccount(account, { data });
    return Promise.resolve();
  };

  const closing = revoke({
    wallet: wallet.address,
    plan: planAddress,
    subscription,
    payer: wallet.address,
  });
  const subscribing = async () => {
    const [, planBump] = await addresses.plan(address(plan.owner), plan.number);
    const opened = decodeAuthority(chain.getAccount(authority)?.data ?? new Uint8Array());
    return subscribe({
      wallet: wallet.address,
      owner: address(plan.owner),
      plan: planAddress,
      subscription,
      authority,
      mint: token.mint,
      planBump,
      planId: plan.number,
      amount: plan.amount,
      periodHours: plan.periodHours,
      createdAt: seconds(plan.createdOnChainAt),
      initId: opened?.initId ?? UNKNOWN_INIT_ID,
    });
  };

  return {
    revokeApproval: () => by(wallet, getRevokeInstruction({ source, owner: wallet }, TOKEN)),
    approveLittle: () =>
      by(
        wallet,
        getApproveInstruction({ source, delegate: authority, owner: wallet, amount: PRICE - 1n }, TOKEN),
      ),
    closeAuthority: () =>
      by(wallet, {
        programAddress: SUBSCRIPTIONS_PROGRAM,
        accounts: [
          { address: wallet.address, role: AccountRole.WRITABLE_SIGNER },
          { address: authority, role: AccountRole.WRITABLE },
        ],
        data: new Uint8Array([6]),
      }),
    reopenAuthority: () =>
      by(
        wallet,
        initAuthority({
          wallet: wallet.address,
          authority,
          mint: token.mint,
          tokenAccount: source,
          tokenProgram: TOKEN_PROGRAM,
        }),
      ),
    async reassignTokenAccount() {
      const other = await generateKeyPairSigner();
      await by(
        wallet,
        getSetAuthorityInstruction(
          {
            owned: source,
            owner: wallet,
            authorityType: AuthorityType.AccountOwner,
            newAuthority: other.address,
          },
          TOKEN,
        ),
      );
    },
    async closeTokenAccount() {
      await world.take(wallet, await world.holding(wallet));
      await by(
        wallet,
        getCloseAccountInstruction({ account: source, destination: wallet.address, owner: wallet }, TOKEN),
      );
    },
    subscribe: async () =>
      by(
        wallet,
        initAuthority({
          wallet: wallet.address,
          authority,
          mint: token.mint,
          tokenAccount: source,
          tokenProgram: TOKEN_PROGRAM,
        }),
        await subscribing(),
      ),
    remake: async () => by(wallet, closing, await subscribing()),
    cancel: () => by(wallet, cancel({ wallet: wallet.address, plan: planAddress, subscription })),
    async resume() {
      const seen = decodeSubscription(chain.getAccount(subscription)?.data ?? new Uint8Array());
      if (seen === null) throw new Error('the subscription stands');
      const { expiresAt } = seen;
      await by(
        wallet,
        resume({ wallet: wallet.address, plan: planAddress, subscription, authority, expiresAt }),
      );
    },
    closeSubscription: () => by(wallet, closing),
    async removeCharger() {
      const seen = decodePlan(chain.getAccount(planAddress)?.data ?? new Uint8Array());
      if (seen === null) throw new Error('the plan stands');
      await by(
        owner,
        updatePlan({ plan: planAddress, seen, sunset: false, endTs: seen.endTs, pullers: [], metadata: '' }),
      );
    },
    deletePlan: () => by(owner, deletePlan({ owner: owner.address, plan: planAddress })),
    recreatePlan: () =>
      by(
        owner,
        createPlan({
          owner: owner.address,
          plan: planAddress,
          planId: plan.number,
          mint: token.mint,
          tokenProgram: TOKEN_PROGRAM,
          amount: PRICE,
          periodHours: plan.periodHours,
          endTs: 0n,
          destinations: [],
          pullers: [charger.address],
          metadata: '',
        }),
      ),
    pullAsOwner: () =>
      by(
        owner,
        transfer({
          subscription,
          plan: planAddress,
          authority,
          source,
          receiver,
          charger: owner.address,
          mint: token.mint,
          tokenProgram: TOKEN_PROGRAM,
          wallet: wallet.address,
          amount: PRICE,
        }),
      ),
    async reassignReceiver() {
      const other = await generateKeyPairSigner();
      await by(
        owner,
        getSetAuthorityInstruction(
          { owned: receiver, owner, authorityType: AuthorityType.AccountOwner, newAuthority: other.address },
          TOKEN,
        ),
      );
    },
    freeze: (whose) => setState(accountOfSide[whose], FROZEN),
    thaw: (whose) => setState(accountOfSide[whose], 1),
    remove(what) {
      chain.setAccount(what === 'mint' ? token.mint : receiver, { lamports: 0n });
      return Promise.resolve();
    },
  };
}

async function planOf(world: World, slug: string): Promise<Plan> {
  const plan = await world.store.findPlanBySlug(world.projectId as ProjectId, slug);
  if (plan === null) throw new Error('the plan is published');
  return plan;
}

function seconds(instant: Date | null): bigint {
  if (instant === null) throw new Error('the plan is published');
  return BigInt(instant.getTime()) / 1000n;
}
