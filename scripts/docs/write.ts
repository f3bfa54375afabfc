import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../tasks/repository.mjs';
import { pages } from './pages.js';

for (const [path, text] of pages()) {
  writeFileSync(join(ROOT, path), text);
  console.log(path);
}
