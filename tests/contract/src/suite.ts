import type { OpenApiDocument } from '@subrail/core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

import { apiOf, type Api, type ClientParts } from './client.js';
import type { Control, Fault } from './control.js';
import { openControl } from './open-control.js';
import { Recorder } from './coverage/recorder.js';
import { schemasOf } from './coverage/schemas.js';
import { openScenario, type Scenario, type ScenarioOptions } from './scenario.js';

/** The service under test. */
export interface Suite {
  readonly control: Control;
  readonly parts: ClientParts;
  /** A project of its own, with what a test plays in. */
  scenario(options?: ScenarioOptions): Promise<Scenario>;
  as(key: string | null): Api;
  /** What `act` comes to while something is broken, which is mended after it whatever came of it. */
  during<T>(fault: Fault, act: () => Promise<T>): Promise<T>;
}

interface Opened {
  readonly control: Control;
  readonly parts: ClientParts;
}

async function open(recorder: Recorder): Promise<Opened> {
  const control = await openControl();
  const { baseUrl } = control;
  const response = await fetch(`${baseUrl}/openapi.json`);
  const document = (await response.json()) as OpenApiDocument;
  return { control, parts: { baseUrl, document, schemas: schemasOf(document), recorder } };
}

/**
 * The world of a test file. One is enough for a file whose tests do not disturb one another: each plays in a project of its
 * own. Where much time passes, or the chain is broken, everybody else's subscriptions would be in the way: then each test
 * begins in a world of its own.
 */
export function openSuite(anew: 'per file' | 'per test' = 'per file'): Suite {
  const recorder = new Recorder();
  let world: Opened | null = null;
  const opened = () => {
    if (world === null) throw new Error('The world is open while tests run.');
    return world;
  };
  const [begin, end] = anew === 'per file' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  begin(async () => {
    world = await open(recorder);
  });
  end(async () => opened().control.close());
  afterAll(() => {
    recorder.save();
  });
  return {
    get control() {
      return opened().control;
    },
    get parts() {
      return opened().parts;
    },
    scenario: (options) => openScenario(opened().parts, opened().control, options),
    as: (key) => apiOf(opened().parts, key),
    async during(fault, act) {
      const { control } = opened();
      control.fault(fault, true);
      try {
        return await act();
      } finally {
        control.fault(fault, false);
      }
    },
  };
}
