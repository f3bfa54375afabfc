import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import type { Operation } from './operations/operation.js';
import { OPERATIONS, WALLET_OPERATIONS } from './operations/table.js';

const FOLDER = new URL('./billing/', import.meta.url);

/** The sources of the interfaces. */
const source = [
  new URL('./billing.ts', import.meta.url),
  new URL('./client/client.ts', import.meta.url),
  ...readdirSync(FOLDER).map((file) => new URL(file, FOLDER)),
]
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

/** The text of an interface between its braces. */
const bodyOf = (name: string) =>
  new RegExp(`export interface ${name}(?: extends \\w+)? \\{([^]*?)\\n\\}`).exec(source)?.[1] ?? '';

/** Who has the functions: the service, a project, or for wallets the client, because they have no functions in process. */
type Owner = 'Billing' | 'ProjectBilling' | 'Client';

/** The interface that has a function: that of its group, or of the project itself. */
function interfaceOf(owner: Owner, group: string): string {
  if (owner === 'ProjectBilling' && group === 'projects') return bodyOf('OneProjectFunctions');
  return bodyOf(new RegExp(`readonly ${group}: (\\w+);`).exec(bodyOf(owner))?.[1] ?? '');
}

/** The codes that a member's docblock names after "Refuses with". */
function documentedCodes(owner: Owner, group: string, member: string): string[] {
  const body = interfaceOf(owner, group);
  const docblock = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\s+${member}\\(`).exec(body)?.[1] ?? '';
  const sentence = /Refuses with((?:(?!@example)[^])*)/.exec(docblock)?.[1] ?? '';
  return [...sentence.matchAll(/`(\w+)`/g)].map(([, code = '']) => code).sort();
}

/** The codes with which an operation refuses a caller in process, without the codes that only a route can answer. */
function codesInProcess({ parameters, input, notFound, errors }: Operation): string[] {
  const codes = new Set<string>(errors);
  if (parameters.includes('project')) codes.add('not_found');
  if (input !== null) codes.add('invalid_request');
  if (notFound !== null) codes.add(notFound);
  return [...codes].sort();
}

// errors#codes-of-each-route
describe('the docblock of a function names the codes that its operation declares', () => {
  const operations = [...(OPERATIONS as readonly Operation[]), ...WALLET_OPERATIONS];
  it.each(operations.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
    const [group = '', member = ''] = name.split('.');
    const ofProject = operation.parameters[0] === 'project' ? 'ProjectBilling' : 'Billing';
    const owner = operation.scope === 'wallet' ? 'Client' : ofProject;
    expect(documentedCodes(owner, group, member)).toEqual(codesInProcess(operation));
  });
});
