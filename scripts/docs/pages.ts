import { openApiDocument } from '../../packages/core/src/index.js';
import { referencePage } from './reference.js';

/** The files made from the contract, by their path from the root. */
export function pages(): ReadonlyMap<string, string> {
  const document = openApiDocument();
  return new Map([
    ['docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['docs/reference.md', referencePage(document)],
  ]);
}
