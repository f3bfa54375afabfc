import {
  type Address,
  AccountRole,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { subscriptionsProgram } from '../program.js';
import { Ledger, type Processed } from '../../runtime/ledger.js';
import { NativeRuntime } from '../../runtime/native-runtime.js';
import type { AccountState, Program, RuntimeInstruction } from '../../runtime/program.js';
import { minimumBalance } from '../../runtime/rent.js';
import { decodeTransaction } from '../../runtime/transaction.js';
import { PROGRAM } from './instruction-builders.js';
import { HOOK_ELF, HOOK_PROGRAM } from './hook-elf.js';

const LAMPORTS_PER_BYTE = 5080n;
const SLOTS_PER_EPOCH = 432_000n;
export const START = { slot: 1_000_000n, now: 1_800_000_000n };

/** The programs of a chain: those in TypeScript, and those that are ELF files. */
export interface ChainPrograms {
  readonly own: ReadonlyMap<Address, Program>;
  readonly elf: ReadonlyMap<Address, Uint8Array>;
}

/** The Subscriptions program of this package. */
export const OURS: ChainPrograms = { own: new Map([[PROGRAM, subscriptionsProgram]]), elf: new Map() };

export const deployed = (elf: Uint8Array): ChainPrograms => ({
  own: new Map(),
  elf: new Map([[PROGRAM, elf]]),
});

/** The effects of one transaction that both implementations must agree on. */
export interface Step {
  readonly error: Processed['error'];
  readonly inner: Processed['innerInstructions'];
  readonly accounts: readonly (readonly [Address, AccountState])[];
}

/** A ledger with a clock that only `advance` moves. It checks neither signatures nor blockhashes. */
export class TestChain {
  readonly steps: Step[] = [];
  slot = START.slot;
  now = START.now;
  readonly #native: NativeRuntime;
  readonly #ledger: Ledger;

  constructor(programs: ChainPrograms) {
    this.#native = new NativeRuntime(LAMPORTS_PER_BYTE, new Map([...programs.elf, [HOOK_PROGRAM, HOOK_ELF]]));
    this.#ledger = new Ledger(this.#native, programs.own, LAMPORTS_PER_BYTE);
    this.#setClock();
  }

  /** Moves the clock by these seconds, and by two slots for each: the `+x` of program#program-scenarios. */
  advance(seconds: bigint): void {
    this.now += seconds;
    this.slot += 2n * seconds;
    this.#setClock();
  }

  read(of: Address): AccountState {
    return this.#ledger.store.read(of);
  }

  write(of: Address, state: AccountState): void {
    this.#ledger.store.write(of, state);
  }

  rent(size: number): bigint {
    return minimumBalance(size, LAMPORTS_PER_BYTE);
  }

  send(feePayer: Address, instructions: readonly RuntimeInstruction[]): Processed {
    const transaction = decodeTransaction(wire(feePayer, instructions));
    const processed = this.#ledger.process(transaction, { slot: this.slot, unixTimestamp: this.now });
    this.#ledger.keep();
    this.steps.push({
      error: processed.error,
      inner: processed.innerInstructions,
      // The program's own account differs between implementations.
      accounts: transaction.accounts
        .filter((meta) => meta.address !== PROGRAM)
        .map((meta) => [meta.address, this.read(meta.address)]),
    });
    return processed;
  }

  #setClock(): void {
    this.#native.setClock(
      {
        slot: this.slot,
        epochStartTimestamp: START.now,
        epoch: this.slot / SLOTS_PER_EPOCH,
        leaderScheduleEpoch: this.slot / SLOTS_PER_EPOCH + 1n,
        unixTimestamp: this.now,
      },
      () => [],
    );
  }
}

function wire(feePayer: Address, instructions: readonly RuntimeInstruction[]): Uint8Array {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(feePayer, message),
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: '11111111111111111111111111111111' as Blockhash, lastValidBlockHeight: 0n },
        message,
      ),
    (withLifetime) =>
      appendTransactionMessageInstructions(
        instructions.map(({ programAddress, accounts, data }) => ({
          programAddress,
          data,
          accounts: accounts.map(({ address: named, isSigner, isWritable }) => ({
            address: named,
            role: role(isSigner, isWritable),
          })),
        })),
        withLifetime,
      ),
  );
  return new Uint8Array(getTransactionEncoder().encode(compileTransaction(message)));
}

function role(isSigner: boolean, isWritable: boolean): AccountRole {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
}
