import type { Random } from '@subrail/core/ports';
import { SeededRandom } from '@subrail/core/testing';
import type { Localnet } from '@subrail/localnet';
import { inject } from 'vitest';

import { keepStore, openCopy, type KeptStore, type TestStore } from './copied-stores.js';
import { openTestStore, type TestStoreChoice } from './test-store.js';

/** A chain and a store, and what the steps that were played on them made. */
export interface Stage<Facts> extends TestStore {
  readonly localnet: Localnet;
  readonly facts: Facts;
  /** The randomness of the service on the stage, which goes on where the steps ended. */
  readonly random: CountedRandom;
}

/** The seeded randomness of a service, with a count of the bytes that were drawn. */
interface CountedRandom extends Random {
  readonly drawn: () => number;
}

function randomAfter(skipped: number): CountedRandom {
  const random = new SeededRandom(1);
  let drawn = skipped;
  random.bytes(skipped);
  return {
    drawn: () => drawn,
    bytes(length) {
      drawn += length;
      return random.bytes(length);
    },
  };
}

/** A stage while steps are played on it. */
export type OpenStage<Facts> = Omit<Stage<Facts>, 'close'>;

/**
 * A step of a stage, which returns the facts of its end. The name says all that the step depends on besides
 * the options.
 */
export interface Step {
  readonly name: string;
  readonly play: (stage: OpenStage<never>) => Promise<object>;
}

/** Where a stage begins. */
export interface Beginning {
  readonly store: TestStoreChoice;
  readonly path: string | undefined;
  /** The options on which the chain and the steps depend. */
  readonly given: object;
  readonly createChain: () => Localnet;
}

interface KeptStage {
  readonly localnet: Localnet;
  readonly facts: object;
  readonly drawn: number;
  readonly store: KeptStore | null;
}

/** The stages of this process, by everything on which they depend. */
const kept = new Map<string, Promise<KeptStage>>();

/**
 * Opens a stage on which steps were played: once in a process, because they take longer than most tests, and
 * a test gets a copy. On PostgreSQL, and on a store that the test opened, they are played each time.
 */
export async function openStage<Facts>(beginning: Beginning, steps: readonly Step[]): Promise<Stage<Facts>> {
  const { store: choice, path, createChain } = beginning;
  if (typeof choice === 'object' || choice === 'postgres' || inject('everyStore') !== undefined) {
    const opened = await openTestStore(choice, path);
    const localnet = createChain();
    const random = randomAfter(0);
    let facts: object = {};
    for (const { play } of steps)
      facts = await play({ store: opened.store, localnet, random, facts: facts as never });
    return { ...opened, localnet, random, facts: facts as Facts };
  }
  const stage = await keptStage({ ...beginning, store: choice }, steps);
  return {
    ...(await openCopy(stage.store, path)),
    facts: stage.facts as Facts,
    localnet: stage.localnet.copy(),
    random: randomAfter(stage.drawn),
  };
}

function keptStage(
  beginning: Beginning & { readonly store: 'memory' | 'sqlite' },
  steps: readonly Step[],
): Promise<KeptStage> {
  const key = JSON.stringify([beginning.store, beginning.given, ...steps.map(({ name }) => name)]);
  const stage = kept.get(key) ?? keepStage(beginning, steps);
  kept.set(key, stage);
  // A test may play it again: what failed once may have been the fault that another one injected.
  stage.catch(() => kept.delete(key));
  return stage;
}

async function keepStage(
  beginning: Beginning & { readonly store: 'memory' | 'sqlite' },
  steps: readonly Step[],
): Promise<KeptStage> {
  const last = steps.at(-1);
  if (last === undefined) return { localnet: beginning.createChain(), facts: {}, drawn: 0, store: null };
  const before = await keptStage(beginning, steps.slice(0, -1));
  const localnet = before.localnet.copy();
  const random = randomAfter(before.drawn);
  const { result: facts, store } = await keepStore(beginning.store, before.store, (opened) =>
    last.play({ store: opened, localnet, random, facts: before.facts as never }),
  );
  return { localnet, facts, store, drawn: random.drawn() };
}
