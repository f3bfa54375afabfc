import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import mjml2html from 'mjml';
import { ROOT } from '../tasks/repository.mjs';

const LAYOUT = 'packages/core/src/mails/layout.mjml';

/** A fault that MJML finds in a place: it is no colour before it is filled. */
const OF_A_PLACE = /has invalid value: \{\{\w+\}\} for type Color/;

/** The layout of mails as HTML, as a source: core has no package that compiles it. */
export async function mailLayoutSource(): Promise<string> {
  const { html, errors } = await mjml2html(readFileSync(join(ROOT, LAYOUT), 'utf8'), {
    keepComments: false,
    fonts: {},
  });
  const faults = errors.filter(({ message }) => !OF_A_PLACE.test(message));
  if (faults.length > 0) throw new Error(faults.map(({ message }) => `${LAYOUT}: ${message}`).join('\n'));
  const text = html
    .trim()
    .replace(/\s*\n\s*/g, '\n')
    .replace(/ {2,}/g, ' ');
  return `// Made by \`npm run docs\` from layout.mjml.

/** The layout of mails, with its places in braces. */
export const LAYOUT = \`${text}\`;
`;
}
