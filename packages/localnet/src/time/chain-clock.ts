import { SLOTS_PER_EPOCH, type ClockSysvar } from '../runtime/native-runtime.js';

/** How long a slot lasts. */
export const MS_PER_SLOT = 400;

/** The moment a slot began, in whole milliseconds since the Unix epoch, as the chain counts them. */
export interface SlotStart {
  readonly slot: bigint;
  readonly unixMs: number;
}

/** Old jumps matter only for the times of old blocks. */
const JUMPS_KEPT = 1_000;

/**
 * The chain's time: slots of 400 ms and a wall clock, which run together, stand still, or jump forward together.
 * Nothing ticks: a running clock is read off a monotonic source when it is asked.
 */
export class ChainClock {
  readonly #monotonicMs: () => number;
  /** Where the even pace of slots began anew: at the start, and at every jump. Never empty. */
  #jumps: [SlotStart, ...SlotStart[]];
  /** Milliseconds since the last jump, when the clock was last paused or set running. */
  #sinceJump: number;
  /** The monotonic reading to which `#sinceJump` belongs, or null while the clock stands still. */
  #runningSince: number | null = null;

  /**
   * @param jumps the start of the chain and its jumps since, oldest first
   * @param sinceJump milliseconds that have passed after the last of them
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

  /** Milliseconds since the Unix epoch: the chain's wall clock, which also moves within a slot. */
  get unixMs(): number {
    return this.#last.unixMs + this.#elapsed();
  }

  /** Seconds since the Unix epoch at which the current slot began: what programs read. */
  get unixTimestamp(): bigint {
    return this.blockTime(this.slot);
  }

  /** The second in which a slot began. For a slot older than the jumps kept, at an even pace before them. */
  blockTime(slot: bigint): bigint {
    const from = this.#jumps.findLast((jump) => jump.slot <= slot) ?? this.#jumps[0];
    return BigInt(Math.floor((from.unixMs + Number(slot - from.slot) * MS_PER_SLOT) / 1000));
  }

  /** Milliseconds until the next slot begins, if the clock runs. */
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

  /** Jumps forward by a stretch of time, over as many slots as fit in it, in one step however long. A new slot begins. */
  advanceMs(ms: number): void {
    const slots = Math.floor(((this.#elapsed() % MS_PER_SLOT) + ms) / MS_PER_SLOT);
    this.jump(ms, BigInt(ms > 0 ? Math.max(slots, 1) : 0));
  }

  /** Jumps forward by a number of slots and the time they take. */
  advanceSlots(slots: bigint): void {
    this.jump(Number(slots) * MS_PER_SLOT, slots);
  }

  /** Jumps forward by so much time and so many slots, whatever their proportion. @throws {RangeError} when either is negative */
  jump(ms: number, slots: bigint): void {
    if (ms < 0 || slots < 0n) throw new RangeError('A chain does not go back in time.');
    const unixMs = Math.floor(this.unixMs + ms);
    if (!Number.isSafeInteger(unixMs))
      throw new RangeError('This is further than a chain can count milliseconds.');
    const [first, ...later] = this.#jumps.length < JUMPS_KEPT ? this.#jumps : this.#jumps.slice(1);
    this.#jumps = [first ?? this.#last, ...later, { slot: this.slot + slots, unixMs }];
    this.#sinceJump = 0;
    if (this.#runningSince !== null) this.#runningSince = this.#monotonicMs();
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

  /** What the constructor needs to carry on from here. */
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
