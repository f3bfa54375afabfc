import { openApiDocument } from '../../packages/core/src/index.js';
import { hostPage } from './host-page.js';
import { publicNamesPage } from './public-names.js';
import { referencePage } from './reference.js';
import { routesSource } from './routes.js';

/** The text of each file that is generated from other files, by its path from the root. */
export function pages(): ReadonlyMap<string, string> {
  const document = openApiDocument();
  return new Map([
    ['docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['docs/reference.md', referencePage(document)],
    ['docs/evidence/public-names.md', publicNamesPage()],
    ['docs/host.md', hostPage()],
    ['packages/core/src/client/routes.ts', routesSource()],
  ]);
}
