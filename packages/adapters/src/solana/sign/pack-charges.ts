import type { Address, Instruction } from '@solana/kit';
import { TOKEN_PROGRAM } from '../program/addresses.js';
import type { CompiledTransaction } from '../transaction/message.js';

/** A charge that a transaction can make with others. */
export interface PackableCharge {
  readonly plan: Address;
  readonly subscription: Address;
  /** The token account that pays. */
  readonly source: Address;
  /** The token account that is paid. */
  readonly receiver: Address;
  readonly tokenProgram: Address;
  readonly amount: bigint;
  readonly instruction: Instruction;
}

/** Charges that share a transaction, in the order of its instructions. */
export interface Pack<Charge> {
  readonly charges: readonly Charge[];
  readonly transaction: CompiledTransaction;
}

/**
 * Packs charges into few transactions, in the order of their plans, whose accounts they share.
 *
 * @param compile compiles a transaction of these instructions, or returns null when it is too large
 */
export function packCharges<Charge extends PackableCharge>(
  charges: readonly Charge[],
  compile: (instructions: readonly Instruction[]) => CompiledTransaction | null,
): Pack<Charge>[] {
  const packs: Pack<Charge>[] = [];
  for (const charge of charges.toSorted((a, b) => (a.plan < b.plan ? -1 : a.plan > b.plan ? 1 : 0))) {
    const last = packs.at(-1);
    const larger =
      last !== undefined && last.charges.every((other) => maySharePack(other, charge))
        ? packOf([...last.charges, charge], compile)
        : null;
    const pack = larger ?? packOf([charge], compile);
    if (pack === null) throw new RangeError('A charge does not fit into a transaction.');
    packs.splice(larger === null ? packs.length : packs.length - 1, 1, pack);
  }
  return packs;
}

/**
 * Splits a pack in halves until each passes, and returns the parts. A single charge is not asked for.
 *
 * @param passes whether the transaction of these charges would succeed
 */
export async function splitUntilPassing<Charge extends PackableCharge>(
  pack: Pack<Charge>,
  compile: (instructions: readonly Instruction[]) => CompiledTransaction | null,
  passes: (transaction: CompiledTransaction) => Promise<boolean>,
): Promise<Pack<Charge>[]> {
  const { charges, transaction } = pack;
  if (charges.length === 1 || (await passes(transaction))) return [pack];
  const middle = Math.ceil(charges.length / 2);
  const halves = [charges.slice(0, middle), charges.slice(middle)].flatMap(
    (half) => packOf(half, compile) ?? [],
  );
  const parts = await Promise.all(halves.map((half) => splitUntilPassing(half, compile, passes)));
  return parts.flat();
}

function packOf<Charge extends PackableCharge>(
  charges: readonly Charge[],
  compile: (instructions: readonly Instruction[]) => CompiledTransaction | null,
): Pack<Charge> | null {
  const transaction = compile(charges.map(({ instruction }) => instruction));
  return transaction === null ? null : { charges, transaction };
}

/**
 * Whether a shared transaction shows what each charge brought. Balances show only an account's sum, so no
 * account may both pay and be paid, and charges to one account need equal amounts or a token without fees.
 */
function maySharePack(one: PackableCharge, other: PackableCharge): boolean {
  const tellsAmounts = one.amount === other.amount || one.tokenProgram === TOKEN_PROGRAM;
  return (
    one.subscription !== other.subscription &&
    [one, other].every(({ source }) => source !== one.receiver && source !== other.receiver) &&
    (one.receiver !== other.receiver || tellsAmounts)
  );
}
