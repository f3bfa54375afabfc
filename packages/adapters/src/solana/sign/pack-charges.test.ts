import { blockhash, type Address, type Instruction } from '@solana/kit';
import { TOKEN_2022_PROGRAM_ADDRESS } from '@solana-program/token-2022';
import { describe, expect, it } from 'vitest';
import { paymentInstruction } from '../build/transaction-kinds.js';
import { TOKEN_PROGRAM, createAddresses } from '../program/addresses.js';
import { chargeAccountsOf } from '../read/charge-accounts.js';
import { compileIfSmall } from '../transaction/message.js';
import { charger } from '../tests/chain-on.js';
import { PLAN, key } from '../tests/charge-view.js';
import { type PackableCharge, packCharges, splitUntilPassing } from './pack-charges.js';

const addresses = createAddresses();
const lifetime = { blockhash: blockhash(key(9)), lastValidBlockHeight: 150n };
const compile = (instructions: readonly Instruction[]) =>
  compileIfSmall(charger.address, instructions, lifetime, { unitLimit: 200_000, unitPrice: 0n });

/** The charge of the wallet of one byte repeated. */
async function chargeOf(
  wallet: number,
  { amount = 10n, receiver = key(5), tokenProgram = TOKEN_PROGRAM as Address } = {},
): Promise<PackableCharge> {
  const target = { plan: { ...PLAN, tokenProgram }, wallet: key(wallet) };
  const accounts = await chargeAccountsOf(target, addresses);
  const instruction = paymentInstruction(target, accounts, { amount, receiver, charger: charger.address });
  const { plan, subscription, source } = accounts;
  return { plan, subscription, source, receiver, tokenProgram, amount, instruction };
}

const sizes = (charges: readonly PackableCharge[]) =>
  packCharges(charges, compile).map((pack) => pack.charges.length);

const bytesOf = (charges: readonly PackableCharge[]) =>
  packCharges(charges, compile)[0]?.transaction.messageBytes;

// attempts#shared-transaction
describe('packing charges into transactions', () => {
  it('puts four charges of one plan into a transaction', async () => {
    const charges = await Promise.all(Array.from({ length: 10 }, (_, index) => chargeOf(20 + index)));
    expect(sizes(charges)).toEqual([4, 4, 2]);
    expect(packCharges(charges, compile).flatMap((pack) => pack.charges)).toEqual(charges);
  });

  it('puts no two charges of one subscription into a transaction', async () => {
    expect(sizes([await chargeOf(20), await chargeOf(20, { amount: 11n })])).toEqual([1, 1]);
  });

  it('puts different amounts to one account into a transaction only when the token has no transfer fee', async () => {
    const both = (tokenProgram: Address, amount: bigint) =>
      Promise.all([chargeOf(20, { tokenProgram }), chargeOf(21, { tokenProgram, amount })]);
    expect(sizes(await both(TOKEN_PROGRAM, 11n))).toEqual([2]);
    expect(sizes(await both(TOKEN_2022_PROGRAM_ADDRESS, 11n))).toEqual([1, 1]);
    expect(sizes(await both(TOKEN_2022_PROGRAM_ADDRESS, 10n))).toEqual([2]);
  });

  it('puts no charge into a transaction that pays the account which the charge is paid from', async () => {
    const paying = await chargeOf(20);
    expect(sizes([paying, await chargeOf(21, { receiver: paying.source })])).toEqual([1, 1]);
  });

  it('halves a transaction until each part passes, and asks for none with one charge', async () => {
    const charges = await Promise.all([20, 21, 22, 23].map((wallet) => chargeOf(wallet)));
    const [pack] = packCharges(charges, compile);
    if (pack === undefined) throw new Error('There is no pack.');
    const asked: number[] = [];
    const parts = await splitUntilPassing(pack, compile, async (transaction) => {
      const known = [charges, charges.slice(0, 2), charges.slice(2)];
      const all = known.find((some) => String(bytesOf(some)) === String(transaction.messageBytes)) ?? [];
      asked.push(all.length);
      return !all.includes(charges[2] as PackableCharge);
    });
    expect(asked).toEqual([4, 2, 2]);
    expect(parts.map((part) => part.charges)).toEqual([[charges[0], charges[1]], [charges[2]], [charges[3]]]);
  });
});
