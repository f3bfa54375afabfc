// Imports every published entry point as a consumer does, and looks whether every command can be run.

import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CONSUMER, PACKAGES, publishedEntryPoints } from './consumer.mjs';
import { readManifest } from './repository.mjs';

const resolveFrom = createRequire(join(CONSUMER, 'index.js')).resolve;
for (const name of publishedEntryPoints()) await import(pathToFileURL(resolveFrom(name)).href);
for (const { folder } of PACKAGES)
  for (const file of Object.values(readManifest(folder).bin ?? {}))
    accessSync(join(folder, file), constants.X_OK);
