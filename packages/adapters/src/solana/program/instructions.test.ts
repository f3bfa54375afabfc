import { type Address, type Instruction, AccountRole, address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { decodePlan } from './accounts.js';
import { EVENT_AUTHORITY, SUBSCRIPTIONS_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from './addresses.js';
import { createPlan, deletePlan, updatePlan } from './plan-instructions.js';
import {
  cancel,
  initAuthority,
  resume,
  revoke,
  revokeAbandoned,
  subscribe,
} from './subscriber-instructions.js';
import { transfer } from './transfer-instruction.js';
import { bytes, i64, keyBytes, planBytes, u64 } from '../tests/bytes.js';
import { key } from '../tests/charge-view.js';

const { READONLY, WRITABLE, READONLY_SIGNER, WRITABLE_SIGNER } = AccountRole;
const FLAGS = { [READONLY]: '', [WRITABLE]: 'w', [READONLY_SIGNER]: 's', [WRITABLE_SIGNER]: 'sw' };

const wallet = key(1);
const owner = key(2);
const charger = key(3);
const mint = key(6);
const plan = key(20);
const subscription = key(21);
const authority = key(22);
const source = key(23);
const receiver = key(24);
const FOUR_EMPTY = new Uint8Array(128);

function accounts({ accounts: metas = [] }: Instruction): [Address, string][] {
  return metas.map((meta) => [meta.address, FLAGS[meta.role]]);
}

const data = (instruction: Instruction) => Uint8Array.from(instruction.data ?? []);

// program#instruction-dispatch
describe('each instruction builder', () => {
  // program#init-subscription-authority
  it('encodes init_subscription_authority (0)', () => {
    const init = initAuthority({
      wallet,
      authority,
      mint,
      tokenAccount: source,
      tokenProgram: TOKEN_PROGRAM,
    });
    expect(accounts(init)).toEqual([
      [wallet, 'sw'],
      [authority, 'w'],
      [mint, ''],
      [source, 'w'],
      [SYSTEM_PROGRAM, ''],
      [TOKEN_PROGRAM, ''],
    ]);
    expect(data(init)).toEqual(bytes([0]));
  });

  // program#revoke-delegation
  it('encodes revoke_delegation (3), with a receiver only for another payer', () => {
    const own = revoke({ wallet, plan, subscription, payer: wallet });
    expect(accounts(own)).toEqual([
      [wallet, 'sw'],
      [subscription, 'w'],
      [plan, ''],
    ]);
    expect(data(own)).toEqual(bytes([3]));
    expect(accounts(revoke({ wallet, plan, subscription, payer: owner }))[3]).toEqual([owner, 'w']);
  });

  // program#create-plan
  it('encodes create_plan (7)', () => {
    const create = createPlan({
      owner,
      plan,
      planId: 2n ** 64n - 1n,
      mint,
      tokenProgram: TOKEN_PROGRAM,
      amount: 5n,
      periodHours: 24,
      endTs: 1_900_000_000n,
      destinations: [key(4)],
      pullers: [charger, key(5)],
      metadata: 'né',
    });
    expect(accounts(create)).toEqual([
      [owner, 'sw'],
      [plan, 'w'],
      [mint, ''],
      [SYSTEM_PROGRAM, ''],
      [TOKEN_PROGRAM, ''],
    ]);
    expect(data(create)).toEqual(
      bytes(
        [7],
        u64(2n ** 64n - 1n),
        keyBytes(6),
        u64(5n),
        u64(24n),
        i64(0n),
        i64(1_900_000_000n),
        [4, 0, 0, 0].flatMap((byte) => Array.from(keyBytes(byte))),
        [3, 5, 0, 0].flatMap((byte) => Array.from(keyBytes(byte))),
        [0x6e, 0xc3, 0xa9],
        new Uint8Array(125),
      ),
    );
  });

  // program#update-plan
  it('encodes update_plan (8) of v0.5.0, with every field of the plan that was read', () => {
    const seen = decodePlan(planBytes({ endTs: 7n, pullers: [3, 0, 9, 0] }));
    if (seen === null) throw new Error('no plan');
    const update = updatePlan({ plan, seen, sunset: true, endTs: 6n, pullers: [charger], metadata: 'x' });
    expect(accounts(update)).toEqual([
      [owner, 's'],
      [plan, 'w'],
      [EVENT_AUTHORITY, ''],
      [SUBSCRIPTIONS_PROGRAM, ''],
    ]);
    const written = data(update);
    expect(written.length).toBe(538);
    expect(written.slice(0, 10)).toEqual(bytes([8, 0], i64(6n)));
    expect(written.slice(10, 138)).toEqual(bytes(keyBytes(3), new Uint8Array(96)));
    expect(written.slice(138, 266)).toEqual(bytes([0x78], new Uint8Array(127)));
    expect(written.slice(266)).toEqual(
      bytes(i64(1_767_225_600n), i64(7n), keyBytes(3), keyBytes(0), keyBytes(9), keyBytes(0), FOUR_EMPTY),
    );
  });

  // program#delete-plan
  it('encodes delete_plan (9)', () => {
    expect(accounts(deletePlan({ owner, plan }))).toEqual([
      [owner, 'sw'],
      [plan, 'w'],
    ]);
    expect(data(deletePlan({ owner, plan }))).toEqual(bytes([9]));
  });

  // program#transfer-subscription
  it('encodes transfer_subscription (10)', () => {
    const tokenProgram = TOKEN_PROGRAM;
    const instruction = transfer({
      ...{ subscription, plan, authority, source, receiver, charger, mint, tokenProgram, wallet },
      amount: 2n ** 63n,
    });
    expect(accounts(instruction)).toEqual([
      [subscription, 'w'],
      [plan, ''],
      [authority, ''],
      [source, 'w'],
      [receiver, 'w'],
      [charger, 's'],
      [mint, ''],
      [TOKEN_PROGRAM, ''],
      [EVENT_AUTHORITY, ''],
      [SUBSCRIPTIONS_PROGRAM, ''],
    ]);
    expect(data(instruction)).toEqual(bytes([10], u64(2n ** 63n), keyBytes(1), keyBytes(6)));
  });

  // program#subscribe
  it('encodes subscribe (11)', () => {
    const instruction = subscribe({
      ...{ wallet, owner, plan, planBump: 254, planId: 9n, subscription, authority, mint },
      amount: 5n,
      periodHours: 24,
      createdAt: 1_767_225_600n,
      initId: -(2n ** 63n),
    });
    expect(accounts(instruction)).toEqual([
      [wallet, 'sw'],
      [owner, ''],
      [plan, ''],
      [subscription, 'w'],
      [authority, ''],
      [SYSTEM_PROGRAM, ''],
      [EVENT_AUTHORITY, ''],
      [SUBSCRIPTIONS_PROGRAM, ''],
    ]);
    expect(data(instruction)).toEqual(
      bytes([11], u64(9n), [254], keyBytes(6), u64(5n), u64(24n), i64(1_767_225_600n), i64(-(2n ** 63n))),
    );
  });

  // program#cancel-subscription
  it('encodes cancel_subscription (12)', () => {
    expect(accounts(cancel({ wallet, plan, subscription }))).toEqual([
      [wallet, 's'],
      [plan, ''],
      [subscription, 'w'],
      [EVENT_AUTHORITY, ''],
      [SUBSCRIPTIONS_PROGRAM, ''],
    ]);
    expect(data(cancel({ wallet, plan, subscription }))).toEqual(bytes([12]));
  });

  // program#resume-subscription
  it('encodes resume_subscription (13)', () => {
    const resumed = resume({ wallet, plan, subscription, authority, expiresAt: 1_800_000_000n });
    expect(accounts(resumed)).toEqual([
      [wallet, 's'],
      [plan, ''],
      [subscription, 'w'],
      [authority, ''],
      [EVENT_AUTHORITY, ''],
      [SUBSCRIPTIONS_PROGRAM, ''],
    ]);
    expect(data(resumed)).toEqual(bytes([13], i64(1_800_000_000n)));
  });

  // program#revoke-abandoned-subscription
  it('encodes revoke_abandoned_subscription (16)', () => {
    const closed = revokeAbandoned({ payer: wallet, plan, subscription, authority });
    expect(accounts(closed)).toEqual([
      [wallet, 'sw'],
      [subscription, 'w'],
      [authority, ''],
      [plan, ''],
    ]);
    expect(data(closed)).toEqual(bytes([16]));
  });
});

describe('a plan beyond its limits', () => {
  const fitting = {
    ...{ owner, plan, planId: 1n, mint, tokenProgram: address(TOKEN_PROGRAM), amount: 1n, periodHours: 1 },
    ...{ endTs: 0n, destinations: [], pullers: [], metadata: '' },
  };

  // program#plan-transactions
  it('is refused before it is encoded', () => {
    const five = [4, 5, 6, 7, 8].map(key);
    expect(() => createPlan({ ...fitting, destinations: five })).toThrow(RangeError);
    expect(() => createPlan({ ...fitting, pullers: five })).toThrow(RangeError);
    expect(() => createPlan({ ...fitting, metadata: 'é'.repeat(65) })).toThrow(RangeError);
    expect(() => createPlan({ ...fitting, metadata: 'é'.repeat(64) })).not.toThrow();
  });
});
