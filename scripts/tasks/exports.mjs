// Imports every published entry point as a consumer does, and checks that every published command can be
// executed and that every package has its pages.

import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CONSUMER, installedPackages, publishedEntryPoints } from './consumer.mjs';

const problems = [];
const resolveFrom = createRequire(join(CONSUMER, 'index.js')).resolve;

for (const name of publishedEntryPoints()) {
  try {
    const file = resolveFrom(name);
    const module = /** @type {object} */ (await import(pathToFileURL(file).href));
    console.log(`${name}: ${Object.keys(module).length} exports`);
  } catch (error) {
    problems.push(`${name} cannot be imported: ${String(error)}`);
  }
}

for (const { folder, manifest } of installedPackages()) {
  for (const page of ['README.md', 'LICENSE']) {
    if (!existsSync(join(folder, page))) problems.push(`${manifest.name} is published without a ${page}.`);
  }
  for (const [command, file] of Object.entries(manifest.bin ?? {})) {
    try {
      accessSync(join(folder, file), constants.X_OK);
      if (!readFileSync(join(folder, file), 'utf8').startsWith('#!/usr/bin/env node\n')) {
        problems.push(`${manifest.name}: the command ${command} does not start with #!/usr/bin/env node`);
      }
    } catch (error) {
      problems.push(`${manifest.name}: the command ${command} cannot be executed: ${String(error)}`);
    }
  }
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
