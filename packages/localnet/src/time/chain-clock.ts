import { SLOTS_PER_EPOCH, type ClockSysvar } from '../runtime/native-runtime.js';

/** The length of a slot. */
const MS_PER_SLOT = 400;

/** A slot and the moment it began, in whole milliseconds since the Unix epoch by the chain's clock. */
export interface SlotStart {
  readonly slot: bigint;
  readonly unixMs: number;
}

/** The number of jumps in memory. Old ones matter only for the times of old blocks. */
const JUMPS_KEPT = 10_000;

/** The chain's time: slots of 400 ms and a wall clock, computed from a monotonic time source when read. */
export class ChainClock {
  readonly #monotonicMs: () => number;
  /**
   * The slots from which later ones are counted every 400 ms: the first, and one for every jump and closed
   * block, except those that tell no time.
   */
  readonly #jumps: [SlotStart, ...SlotStart[]];
  /** Milliseconds between the last jump and the moment the clock was last paused or resumed. */
  #sinceJump: number;
  /** The reading of the time source at which `#sinceJump` was taken; null while the clock is paused. */
  #runningSince: number | null = null;

  /**
   * @param jumps the start of the chain and its jumps since, oldest first
   * @param sinceJump milliseconds that passed since the last of them
   * @param monotonicMs milliseconds since any fixed moment, never going back
   */
  constructor(jumps: readonly [SlotStart, ...SlotStart[]], sinceJump: number, monotonicMs: () => number) {
    this.#jumps = [...jumps];
    this.#sinceJump = sinceJump;
    this.#monotonicMs = monotonicMs;
  }

  get running(): boolean {
    return this.#runningSince !== null;
  }

  get slot(): bigint {
    return this.#last.slot + BigInt(Math.floor(this.#elapsed() / MS_PER_SLOT));
  }

  /** The chain's wall clock in milliseconds since the Unix epoch, which also moves within a slot. */
  get unixMs(): number {
    return this.#last.unixMs + this.#elapsed();
  }

  /** The second since the Unix epoch in which the current slot began: the time that programs read. */
  get unixTimestamp(): bigint {
    return this.blockTime(this.slot);
  }

  /** The second in which a slot began. Slots before the oldest kept jump are assumed to last 400 ms each. */
  blockTime(slot: bigint): bigint {
    const last = this.#jumps.findLastIndex((jump) => jump.slot <= slot);
    const from = this.#jumps[last] ?? this.#jumps[0];
    const counted = from.unixMs + Number(slot - from.slot) * MS_PER_SLOT;
    // A slot that was closed early lasted less than 400 ms: no slot begins after the one that follows it.
    return inSeconds(Math.min(counted, this.#jumps[last + 1]?.unixMs ?? counted));
  }

  /** Milliseconds until the next slot begins, while the clock runs. */
  get msToNextSlot(): number {
    return MS_PER_SLOT - (this.#elapsed() % MS_PER_SLOT);
  }

  run(): void {
    this.#runningSince ??= this.#monotonicMs();
  }

  pause(): void {
    this.#sinceJump = this.#elapsed();
    this.#runningSince = null;
  }

  /** Ends the current slot now. The next one begins, and no time passes. */
  closeSlot(): void {
    this.jump(0, 1n);
  }

  /**
   * Jumps forward by some time, over the slots that end in it but at least one. Slots end at multiples of 400
   * ms of the wall clock, so short jumps add up to a long one.
   */
  advanceMs(ms: number): void {
    const { unixMs } = this;
    const slots = Math.floor((unixMs + ms) / MS_PER_SLOT) - Math.floor(unixMs / MS_PER_SLOT);
    this.jump(ms, BigInt(ms > 0 ? Math.max(slots, 1) : 0));
  }

  /** Jumps forward by a number of slots and the time they take. */
  advanceSlots(slots: bigint): void {
    this.jump(Number(slots) * MS_PER_SLOT, slots);
  }

  /**
   * Jumps forward by the given time and the given slots, in any proportion.
   * @throws {RangeError} when either is negative
   */
  jump(ms: number, slots: bigint): void {
    if (ms < 0 || slots < 0n)
      throw new RangeError(`A chain does not go back in time: cannot jump by ${ms} ms and ${slots} slots.`);
    const elapsed = this.#elapsed();
    const unixMs = Math.floor(this.#last.unixMs + elapsed + ms);
    if (!Number.isSafeInteger(unixMs))
      throw new RangeError(
        `A chain's time ends at ${Number.MAX_SAFE_INTEGER} ms since the Unix epoch: cannot jump by ${ms} ms.`,
      );
    const slot = this.#last.slot + BigInt(Math.floor(elapsed / MS_PER_SLOT)) + slots;
    // The passed part of a millisecond counts on, or a clock that jumps often would fall behind.
    if (this.#runningSince !== null) this.#runningSince += elapsed - this.#sinceJump;
    this.#sinceJump = 0;
    this.#append({ slot, unixMs });
  }

  /** Adds a jump. Within one second only the first and the last matter: block times are seconds. */
  #append(jump: SlotStart): void {
    const jumps = this.#jumps;
    const secondLast = jumps.at(-2);
    if (secondLast !== undefined && inSeconds(secondLast.unixMs) === inSeconds(jump.unixMs)) jumps.pop();
    jumps.push(jump);
    if (jumps.length > JUMPS_KEPT) jumps.shift();
  }

  sysvar(): ClockSysvar {
    const { slot, unixTimestamp } = this;
    const epoch = slot / SLOTS_PER_EPOCH;
    return {
      slot,
      epoch,
      epochStartTimestamp: unixTimestamp - ((slot % SLOTS_PER_EPOCH) * BigInt(MS_PER_SLOT)) / 1000n,
      leaderScheduleEpoch: epoch + 1n,
      unixTimestamp,
    };
  }

  /** The constructor's arguments for a clock that continues from here. */
  snapshot(): { readonly jumps: readonly [SlotStart, ...SlotStart[]]; readonly sinceJump: number } {
    return { jumps: [...this.#jumps], sinceJump: this.#elapsed() };
  }

  get #last(): SlotStart {
    return this.#jumps[this.#jumps.length - 1] ?? this.#jumps[0];
  }

  #elapsed(): number {
    if (this.#runningSince === null) return this.#sinceJump;
    return this.#sinceJump + Math.max(0, Math.floor(this.#monotonicMs() - this.#runningSince));
  }
}

function inSeconds(unixMs: number): bigint {
  return BigInt(Math.floor(unixMs / 1000));
}
