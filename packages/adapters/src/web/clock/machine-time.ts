// The rule is clocks#step-of-the-machines-clock.

/** The sources of a clock, in milliseconds. */
export interface ClockSources {
  /** The clock of the machine as it is set, since 1970. */
  readonly wall: () => number;
  /**
   * The time since any fixed instant, whatever the clock is set to. It may stand while the machine sleeps.
   */
  readonly elapsed: () => number;
  /** The same, rougher, and counting while the machine sleeps; absent where the platform lacks it. */
  readonly uptime?: () => number;
}

/** A larger difference between the clock and the time that passed is a step. */
const STEP_MS = 1_000;

/** A step counts after this time when no other source speaks of it. */
const BELIEVED_AFTER_MS = 60_000;

/** The difference at which another source still agrees, as the chain with the world. */
const AGREES_WITHIN_MS = 2 * 60_000;

/** `uptime` may be given in whole seconds. */
const UPTIME_PRECISION_MS = 2_000;

interface Step {
  /** The clock less the elapsed time. */
  offset: number;
  /** The elapsed time when the step was seen, or contradicted last. */
  since: number;
}

/** The time as far as two sources agree: the wall clock, the time that passed, and the chain. */
export class MachineTime {
  readonly #sources: ClockSources;
  /** The last elapsed time, with sleep of the machine. */
  #elapsed = 0;
  #readAt: number;
  #uptimeAhead: number;
  /** The believed time less the elapsed time. */
  #offset: number;
  /** Steps not believed yet, each further in the direction of the one before. */
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

  /**
   * The believed time. After falling back by less than a step it goes on at half pace until it has caught up.
   */
  shown(): number {
    this.#read();
    const time = this.#offset + this.#elapsed;
    const halfPace = this.#shown + (this.#elapsed - this.#shownAt) / 2;
    this.#shown = time < this.#shown - STEP_MS ? time : Math.max(time, halfPace);
    this.#shownAt = this.#elapsed;
    return this.#shown;
  }

  /** The time that passed, with sleep of the machine where the system tells. */
  elapsed(): number {
    this.#read();
    return this.#elapsed;
  }

  /** Compares a step with another source, and returns how far that is ahead of the clock. */
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

  /** Whether a step is to be compared, or was at the last comparison. */
  needsComparison(): boolean {
    this.#read();
    return this.#needsComparison;
  }

  /** Reads the sources, follows the clock, and returns it. */
  #read(): number {
    const at = this.#sources.elapsed();
    // In a Cloudflare Worker performance.now() can be set back like the clock.
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

  /** Adds the sleep of the machine, which the uptime shows, and the step of the clock precisely. */
  #addSleep(stepMs: number): void {
    const { uptime } = this.#sources;
    if (uptime === undefined) return;
    const slept = uptime() - this.#uptimeAhead - this.#elapsed;
    if (slept <= UPTIME_PRECISION_MS) return;
    this.#elapsed += Math.abs(slept - stepMs) <= UPTIME_PRECISION_MS ? stepMs : slept;
  }

  #noteStep(offset: number): void {
    const distance = (to: number) => (to - this.#offset) * Math.sign(offset - this.#offset);
    // A clock that goes back takes a step back, or makes another one with a minute of its own.
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
