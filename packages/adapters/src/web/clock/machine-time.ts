// The rule is clocks#step-of-the-machines-clock.

/** Where a clock gets its time from. Each is read when the clock is, and gives milliseconds. */
export interface ClockSources {
  /** The machine's clock as it is set, since 1970. */
  readonly wall: () => number;
  /** The time that passed since any fixed instant, which no setting of the clock changes. It may stand while the machine sleeps. */
  readonly elapsed: () => number;
  /** The same, rougher, and counting on while the machine sleeps; absent where the platform has no such time. */
  readonly uptime?: () => number;
}

/** A larger difference between the machine's clock and the time that passed is a step. */
const STEP_MS = 1_000;

/** For how long a step must last to be believed when no other time says anything of it. */
const BELIEVED_AFTER_MS = 60_000;

/** By how much the time of another source may differ and still agree, as the chain's differs from the world's. */
const AGREES_WITHIN_MS = 2 * 60_000;

/** `uptime` may be given in whole seconds. */
const UPTIME_PRECISION_MS = 2_000;

/** A step that is not believed yet. */
interface Step {
  /** The machine's clock less the elapsed time, since the step. */
  offset: number;
  /** The elapsed time at which the step was seen, or contradicted last. */
  since: number;
}

/** The machine's time as far as two sources agree on it: the wall clock, the time that passed, and the chain's time. */
export class MachineTime {
  readonly #sources: ClockSources;
  /** The elapsed time, with what the machine slept, as it was read last. */
  #elapsed = 0;
  #readAt: number;
  /** How far the uptime is ahead of the elapsed time. */
  #uptimeAhead: number;
  /** The believed time less the elapsed time. */
  #offset: number;
  /** The steps that are not believed yet. Each goes on from the one before, in its direction, and none of them was taken back. */
  #steps: Step[] = [];
  #needsComparison = false;
  #shown = -Infinity;
  #shownAt = 0;

  constructor(sources: ClockSources) {
    this.#sources = sources;
    this.#readAt = sources.elapsed();
    this.#uptimeAhead = sources.uptime?.() ?? 0;
    this.#offset = sources.wall();
  }

  /** The believed time. Where it fell back by less than a step, it goes on at half pace until it has caught up. */
  shown(): number {
    this.#read();
    const time = this.#offset + this.#elapsed;
    const halfPace = this.#shown + (this.#elapsed - this.#shownAt) / 2;
    this.#shown = time < this.#shown - STEP_MS ? time : Math.max(time, halfPace);
    this.#shownAt = this.#elapsed;
    return this.#shown;
  }

  /** The time that passed, with what the machine slept where the system tells. */
  elapsed(): number {
    this.#read();
    return this.#elapsed;
  }

  /** Compares a step with the time of another source, and returns how far that is ahead of the machine's clock. */
  compare(other: number): number {
    const wall = this.#read();
    const ahead = other - wall;
    const last = this.#steps.at(-1);
    if (last !== undefined) {
      const agrees = Math.abs(ahead) <= AGREES_WITHIN_MS;
      const contradicts = Math.abs(other - this.#offset - this.#elapsed) <= AGREES_WITHIN_MS;
      if (agrees && !contradicts) this.#believe(last);
      else if (contradicts && !agrees) this.#steps = [{ offset: last.offset, since: this.#elapsed }];
    }
    this.#needsComparison = this.#steps.length > 0;
    return ahead;
  }

  /** Whether there is a step to compare, or was one when the time of another source was compared last. */
  needsComparison(): boolean {
    this.#read();
    return this.#needsComparison;
  }

  /** Reads the sources, follows the machine's clock, and returns what that shows. */
  #read(): number {
    const at = this.#sources.elapsed();
    // In a Cloudflare Worker performance.now() is the machine's time too, so it can be set back.
    this.#elapsed += Math.max(0, at - this.#readAt);
    this.#readAt = at;
    const wall = this.#sources.wall();
    if (this.#isStep(wall)) this.#addSleep(wall - this.#offset - this.#elapsed);
    if (this.#isStep(wall)) this.#noteStep(wall - this.#elapsed);
    else {
      this.#steps = [];
      this.#offset = wall - this.#elapsed;
    }
    return wall;
  }

  #isStep(wall: number): boolean {
    return Math.abs(wall - this.#offset - this.#elapsed) > STEP_MS;
  }

  /** Adds the time that the machine slept, which the uptime shows and, precisely, the step of its clock. */
  #addSleep(stepMs: number): void {
    const { uptime } = this.#sources;
    if (uptime === undefined) return;
    const slept = uptime() - this.#uptimeAhead - this.#elapsed;
    if (slept <= UPTIME_PRECISION_MS) return;
    this.#elapsed += Math.abs(slept - stepMs) <= UPTIME_PRECISION_MS ? stepMs : slept;
  }

  #noteStep(offset: number): void {
    const distance = (to: number) => (to - this.#offset) * Math.sign(offset - this.#offset);
    // When the machine's clock goes back from a step, that step was taken back, or is another one with a minute of its own.
    const standing = this.#steps.filter(
      ({ offset: to }) => distance(to) > 0 && distance(to) <= distance(offset) + STEP_MS,
    );
    const last = standing.at(-1);
    if (last !== undefined && Math.abs(last.offset - offset) <= STEP_MS) last.offset = offset;
    else standing.push({ offset, since: this.#elapsed });
    this.#steps = standing;
    this.#needsComparison = true;
    const lasted = standing.findLast(({ since }) => this.#elapsed - since >= BELIEVED_AFTER_MS);
    if (lasted !== undefined) this.#believe(lasted);
  }

  #believe(step: Step): void {
    this.#offset = step.offset;
    this.#steps = this.#steps.slice(this.#steps.indexOf(step) + 1);
  }
}
