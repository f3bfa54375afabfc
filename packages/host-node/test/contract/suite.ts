import type { OpenApiDocument } from '@subrail/core';
import { afterAll, beforeAll } from 'vitest';

import { apiOf, type Api, type ClientParts } from './client.js';
import { openControl, type Control, type Fault } from './control.js';
import { Recorder } from './coverage/recorder.js';
import { schemasOf } from './coverage/schemas.js';
import { openScene, type Scene, type SceneOptions } from './scene.js';

/** The service under test, opened once for a file. */
export interface Suite {
  readonly control: Control;
  readonly parts: ClientParts;
  /** A project of its own, with what a test plays in. */
  scene(options?: SceneOptions): Promise<Scene>;
  as(key: string | null): Api;
  /** What `act` comes to while something is broken, which is mended after it whatever came of it. */
  during<T>(fault: Fault, act: () => Promise<T>): Promise<T>;
}

/** Opens the world of a test file before its tests, and closes it after them. */
export function openSuite(): Suite {
  let open: { readonly control: Control; readonly parts: ClientParts } | null = null;
  const opened = () => {
    if (open === null) throw new Error('The world is open while tests run.');
    return open;
  };
  beforeAll(async () => {
    const control = await openControl();
    const response = await fetch(`${control.baseUrl}/openapi.json`);
    const document = (await response.json()) as OpenApiDocument;
    const parts = {
      baseUrl: control.baseUrl,
      document,
      schemas: schemasOf(document),
      recorder: new Recorder(),
    };
    open = { control, parts };
  });
  afterAll(async () => {
    opened().parts.recorder.save();
    await opened().control.close();
  });
  return {
    get control() {
      return opened().control;
    },
    get parts() {
      return opened().parts;
    },
    scene: (options) => openScene(opened().parts, opened().control, options),
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
