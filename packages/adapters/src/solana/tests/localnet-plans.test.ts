import { address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { type PlanAccount, decodePlan } from '../program/accounts.js';
import { deletePlan, updatePlan } from '../program/plan-instructions.js';
import { toUnixSeconds } from '../program/unix-time.js';
import { charger } from './chain-on.js';
import { HOUR, LocalWorld, PRICE, owner, receiver } from './local-world.js';
import { key } from './charge-view.js';

let world: LocalWorld;
beforeEach(async () => {
  world = await LocalWorld.open();
});

describe('a plan', () => {
  it('is read as its owner created it', async () => {
    expect(await world.chain.readPlan(world.plan.address)).toEqual({
      ok: true,
      value: {
        owner: owner.address,
        mint: world.plan.mint,
        amount: PRICE,
        periodHours: 1,
        createdAt: world.plan.createdAt,
        endsAt: null,
        sunset: false,
        destinations: [receiver.address],
        pullers: [charger.address],
      },
    });
  });

  it('is missing where none was created', async () => {
    const elsewhere = await world.chain.planAddress(owner.address, 2n);
    expect(await world.chain.readPlan(elsewhere)).toEqual({ ok: true, value: null });
  });

  it('has a mint that can be read', async () => {
    expect(await world.chain.readMint(world.plan.mint)).toMatchObject({ ok: true, value: { decimals: 6 } });
    expect(await world.chain.readMint(key(99))).toEqual({ ok: true, value: null });
  });
});

// plans#publishing-a-plan
describe('changing a plan', () => {
  const readPlan = () => {
    const data = world.net.getAccount(address(world.plan.address))?.data;
    const plan = data === undefined ? null : decodePlan(data);
    if (plan === null) throw new Error('no plan');
    return plan;
  };
  const later = (hours: number) => toUnixSeconds(world.net.now()) + BigInt(hours * HOUR);
  const change = (seen: PlanAccount, changed: { sunset?: boolean; endTs?: bigint }) =>
    world.sendInstruction(
      updatePlan({
        ...{ plan: address(world.plan.address), seen, sunset: false, endTs: 0n },
        ...{ pullers: [charger.address], metadata: 'changed', ...changed },
      }),
      owner,
    );

  // program#update-plan, program#plan-end-and-sunset
  it('sets an end that cannot be extended, and then a sunset', async () => {
    expect(await change(readPlan(), { endTs: later(3) })).toBeNull();
    world.net.advance({ slots: 1 });
    const extended = await change(readPlan(), { endTs: later(4) });
    expect(extended).toEqual({ InstructionError: [2, { Custom: 520 }] });
    expect(await change(readPlan(), { endTs: readPlan().endTs, sunset: true })).toBeNull();
    const endsAt = new Date(Number(readPlan().endTs) * 1000);
    expect(await world.chain.readPlan(world.plan.address)).toMatchObject({
      ok: true,
      value: { sunset: true, endsAt, pullers: [charger.address] },
    });
  });

  // program#update-plan, program#plan-transactions
  it('is refused when the plan changed after it was read (522)', async () => {
    const seen = readPlan();
    await change(seen, { endTs: later(3) });
    world.net.advance({ slots: 1 });
    expect(await change(seen, { endTs: later(2) })).toEqual({ InstructionError: [2, { Custom: 522 }] });
  });

  // program#delete-plan
  it('deletes the plan after its end', async () => {
    const plan = address(world.plan.address);
    await change(readPlan(), { endTs: later(3) });
    expect(await world.sendInstruction(deletePlan({ owner: owner.address, plan }), owner)).not.toBeNull();
    world.net.advance({ seconds: 3 * HOUR + 1 });
    expect(await world.sendInstruction(deletePlan({ owner: owner.address, plan }), owner)).toBeNull();
    expect(await world.chain.readPlan(plan)).toEqual({ ok: true, value: null });
  });
});
