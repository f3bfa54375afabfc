import type { Rpc, SolanaRpcApi } from '@solana/kit';
import { createHandler, type Billing, type FetchHandler } from '@subrail/core';
import type { FullStore } from '@subrail/core/ports';
import type { Localnet } from '@subrail/localnet';
import { openLocalService, type LocalServiceOptions, callsAnswered } from '@subrail/test-world';

import type { Fixtures } from './fixtures.js';

/** Fixtures that were built once and saved, so that every run starts from the same state. */
export interface SavedFixtures {
  readonly fixtures: Fixtures;
  /** The chain, of which each run gets a copy. */
  readonly localnet: Localnet;
  /** Opens a store that holds the records of the fixtures. */
  openStore(): Promise<InspectedStore>;
}

/** A store whose stored rows a test can compare. */
export interface InspectedStore {
  readonly store: FullStore;
  /** Every row without the last uses of keys. Lists that are equal item by item are equal states. */
  rows(): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

/** The service over a copy of the fixtures. Changes to one copy do not reach another. */
export interface ServiceCopy {
  readonly billing: Billing;
  readonly handler: FetchHandler;
  readonly rpc: Rpc<SolanaRpcApi>;
  readonly stored: InspectedStore;
  /** Errors the service logged. */
  readonly logged: string[];
  advance(ms: number): void;
}

/** @param wrap what to wrap around the service's ports, to inject faults */
export async function openServiceCopy(
  saved: SavedFixtures,
  wrap: Pick<LocalServiceOptions, 'wrapChain' | 'wrapStore'> = {},
): Promise<ServiceCopy> {
  const stored = await saved.openStore();
  const { billing, rpc, clock, log } = await openLocalService({
    store: stored.store,
    idle: callsAnswered,
    localnet: saved.localnet.copy(),
    charger: saved.fixtures.world.charger,
    // Other ids than the fixtures have.
    seed: 2,
    // A wait of 90 seconds is over after three polls.
    shortestSleepMs: 30_000,
    ...wrap,
  });
  return {
    ...{ billing, rpc, stored, logged: log.errors, advance: clock.advance },
    handler: createHandler(billing),
  };
}
