import { type Address, type Instruction, type ReadonlyUint8Array, getStructEncoder } from '@solana/kit';
import {
  MAX_METADATA_BYTES,
  MAX_WALLETS,
  PLAN_FIELDS,
  type PlanAccount,
  fourKeys,
  i64,
  metadataUri,
  u8,
} from './accounts.js';
import { SYSTEM_PROGRAM } from './addresses.js';
import {
  EVENT_ACCOUNTS,
  programInstruction,
  readonly,
  signer,
  writable,
  writableSigner,
} from './instruction.js';

const createPlanData = getStructEncoder([['selector', u8], ...PLAN_FIELDS]);

const updatePlanData = getStructEncoder([
  ['selector', u8],
  ['status', u8],
  ['endTs', i64],
  ['pullers', fourKeys],
  ['metadataUri', metadataUri],
  ['seenCreatedAt', i64],
  ['seenEndTs', i64],
  ['seenPullers', fourKeys],
  ['seenMetadataUri', metadataUri],
]);

/**
 * Builds the instruction that creates a plan. The owner signs it and pays the rent.
 *
 * @throws RangeError for more than four destinations or pullers, or metadata longer than 128 bytes of UTF-8
 */
export function createPlan(input: {
  owner: Address;
  plan: Address;
  planId: bigint;
  mint: Address;
  tokenProgram: Address;
  amount: bigint;
  periodHours: number;
  /** The last second of the plan, in Unix seconds; 0 for no end. */
  endTs: bigint;
  destinations: readonly Address[];
  pullers: readonly Address[];
  metadata: string;
}): Instruction {
  return programInstruction(
    [
      writableSigner(input.owner),
      writable(input.plan),
      readonly(input.mint),
      readonly(SYSTEM_PROGRAM),
      readonly(input.tokenProgram),
    ],
    createPlanData.encode({
      selector: 7,
      planId: input.planId,
      mint: input.mint,
      amount: input.amount,
      periodHours: input.periodHours,
      // The program ignores this value and writes its own time.
      createdAt: 0n,
      endTs: input.endTs,
      destinations: fourOf(input.destinations),
      pullers: fourOf(input.pullers),
      metadataUri: metadataBytes(input.metadata),
    }),
  );
}

/**
 * Builds the instruction that updates a plan, signed by its owner. The program refuses it for a plan unlike
 * `seen`.
 *
 * @throws RangeError for more than four pullers, or metadata longer than 128 bytes of UTF-8
 */
export function updatePlan(input: {
  plan: Address;
  /** The plan as the owner last read it. */
  seen: PlanAccount;
  sunset: boolean;
  /** The last second of the plan, in Unix seconds; 0 for no end. */
  endTs: bigint;
  pullers: readonly Address[];
  /** Its text, or the bytes that the plan has. */
  metadata: string | ReadonlyUint8Array;
}): Instruction {
  return programInstruction(
    [signer(input.seen.owner), writable(input.plan), ...EVENT_ACCOUNTS],
    updatePlanData.encode({
      selector: 8,
      status: input.sunset ? 0 : 1,
      endTs: input.endTs,
      pullers: fourOf(input.pullers),
      metadataUri: typeof input.metadata === 'string' ? metadataBytes(input.metadata) : input.metadata,
      seenCreatedAt: input.seen.createdAt,
      seenEndTs: input.seen.endTs,
      seenPullers: input.seen.pullers,
      seenMetadataUri: input.seen.metadataUri,
    }),
  );
}

/** Builds the instruction that deletes an ended plan. The owner signs it and receives the rent. */
export function deletePlan(input: { owner: Address; plan: Address }): Instruction {
  return programInstruction([writableSigner(input.owner), writable(input.plan)], u8.encode(9));
}

function fourOf(wallets: readonly Address[]): Address[] {
  if (wallets.length > MAX_WALLETS) {
    throw new RangeError(
      `A plan takes at most ${MAX_WALLETS} destinations and ${MAX_WALLETS} pullers, but was given ${wallets.length}.`,
    );
  }
  return [...wallets, ...Array<Address>(MAX_WALLETS - wallets.length).fill(SYSTEM_PROGRAM)];
}

function metadataBytes(metadata: string): ReadonlyUint8Array {
  const bytes = new TextEncoder().encode(metadata);
  if (bytes.length > MAX_METADATA_BYTES) {
    throw new RangeError(
      `A plan's metadata takes at most ${MAX_METADATA_BYTES} bytes of UTF-8, but has ${bytes.length}.`,
    );
  }
  return bytes;
}
