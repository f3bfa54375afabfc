// Imports every published entry point as a consumer does.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CONSUMER, publishedEntryPoints } from './consumer.mjs';

const resolveFrom = createRequire(join(CONSUMER, 'index.js')).resolve;
for (const name of publishedEntryPoints()) {
  const module = /** @type {object} */ (await import(pathToFileURL(resolveFrom(name)).href));
  console.log(`${name}: ${Object.keys(module).length} exports`);
}
