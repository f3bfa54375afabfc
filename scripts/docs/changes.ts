import { MANAGED_OPERATIONS } from '../../packages/core/src/operation-table.js';

/** The first sentence of a summary. */
const sentenceOf = (summary: string) => summary.split(/(?<=\.) /)[0] ?? summary;

/** What each change does in words, for the audit log of the dashboard, which must not contain the service. */
export function changesSource(): string {
  const lines = MANAGED_OPERATIONS.filter(
    ({ method, path }) => method === 'POST' && path.includes('{project}'),
  ).map(({ name, summary }) => `  ${JSON.stringify([name, sentenceOf(summary)])},\n`);
  return `// Made by \`npm run docs\` from the operations.

/** What each change of a project does, by the name of its operation. */
export const CHANGES: ReadonlyMap<string, string> = new Map([
${lines.join('')}]);
`;
}
