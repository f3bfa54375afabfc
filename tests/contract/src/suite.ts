import type { OpenApiDocument } from '@subrail/core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';

import { apiOf, type Api, type ClientParts } from './client.js';
import type { Control, Fault } from './control.js';
import { openControl } from './open-control.js';
import { Recorder } from './coverage/recorder.js';
import { schemasOf, type Schemas } from './coverage/schemas.js';
import { openScenario, type Scenario, type ScenarioOptions } from './scenario.js';

/** The service under test. */
export interface Suite {
  readonly control: Control;
  readonly parts: ClientParts;
  /** Opens a scenario: its own project, with a plan and wallets. */
  scenario(options?: ScenarioOptions): Promise<Scenario>;
  as(key: string | null): Api;
  /**
   * After how many calls one more is refused: the limit, once for each of the hosts, which answer in turn
   * (requests#rate-limit-over-several-hosts).
   */
  mostCalls(limit: number): number;
  /** Runs `act` while a fault is active, and ends the fault after it, even when `act` throws. */
  during<T>(fault: Fault, act: () => Promise<T>): Promise<T>;
}

interface Opened {
  readonly control: Control;
  readonly parts: ClientParts;
}

/** A served OpenAPI document, as it was read. */
interface ServedDocument {
  readonly text: string;
  readonly document: OpenApiDocument;
  readonly schemas: Schemas;
}

/** The last document: to compile its schemas takes longer than most tests, and every service has the same. */
let lastRead: ServedDocument | null = null;

async function readDocument(baseUrl: string): Promise<ServedDocument> {
  const text = await (await fetch(`${baseUrl}/openapi.json`)).text();
  if (lastRead?.text !== text) {
    const document = JSON.parse(text) as OpenApiDocument;
    lastRead = { text, document, schemas: schemasOf(document) };
  }
  return lastRead;
}

async function open(recorder: Recorder): Promise<Opened> {
  const control = await openControl();
  const { baseUrl } = control;
  const { document, schemas } = await readDocument(baseUrl);
  return { control, parts: { baseUrl, document, schemas, recorder } };
}

/**
 * Opens the service under test for a test file. One service is enough for tests that do not disturb each
 * other, because each has its own project. Where much time passes or the chain fails, open the service for
 * each test: subscriptions of other tests would interfere.
 */
export function openSuite(opens: 'per file' | 'per test' = 'per file'): Suite {
  const recorder = new Recorder();
  let service: Opened | null = null;
  const opened = () => {
    if (service === null) throw new Error('The service is open only while tests run.');
    return service;
  };
  const [begin, end] = opens === 'per file' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  begin(async () => {
    service = await open(recorder);
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
    mostCalls: (limit) => limit * opened().control.hosts,
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
