import { getTransferSolInstruction } from '@solana-program/system';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLocalnet } from '../index.js';
import type { TransactionError } from './transaction-error.js';
import type { TransactionResult } from '../transaction-result.js';
import { SOL, signed, signer, testInstruction, withTestProgram } from '../tests/transactions.js';

const payer = await signer(1);
const wallets = [payer, await signer(2), await signer(3)] as const;
const RENT = 128n * 6_960n;

/** Transfers among three wallets, one of which is missing, of amounts around the rent and the balance. */
const transfers = fc.array(
  fc.record({
    from: fc.constantFrom(0, 1),
    to: fc.constantFrom(0, 1, 2),
    amount: fc.constantFrom(0n, 1n, RENT - 1n, RENT, SOL / 2n, SOL - RENT, SOL - 10_000n, SOL),
  }),
  { minLength: 1, maxLength: 5 },
);

test('instructions have the same effect when a TypeScript instruction that does nothing is put between any two of them', async () => {
  await fc.assert(
    fc.asyncProperty(transfers, async (list) => {
      const native = list.map(({ from, to, amount }) =>
        getTransferSolInstruction({
          source: wallets[from],
          destination: wallets[to].address,
          amount,
        }),
      );
      const whole = await outcome(native, (index) => index);
      const split = await outcome(
        native.flatMap((instruction) => [instruction, testInstruction([])]),
        (index) => index / 2,
      );
      expect(split).toEqual(whole);
    }),
    { numRuns: 40 },
  );
});

/** Sends the instructions on a new chain, and returns their effect with the error at its original index. */
async function outcome(instructions: Parameters<typeof signed>[2], originalIndex: (index: number) => number) {
  const chain = createLocalnet(withTestProgram(() => undefined));
  for (const { address } of wallets.slice(0, 2)) chain.setAccount(address, { lamports: SOL });
  const result = chain.send(await signed(chain, payer, instructions));
  return {
    landed: result.landed,
    error: withIndex(result, originalIndex),
    fee: result.processed?.fee,
    lamports: wallets.map(({ address }) => chain.getAccount(address)?.lamports ?? 0n),
  };
}

function withIndex(
  { error }: TransactionResult,
  originalIndex: (index: number) => number,
): TransactionError | null {
  if (error === null || typeof error === 'string' || !('InstructionError' in error)) return error;
  return { InstructionError: [originalIndex(error.InstructionError[0]), error.InstructionError[1]] };
}
