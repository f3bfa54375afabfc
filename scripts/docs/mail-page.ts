import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../tasks/repository.mjs';
import { mailSamples } from './mail-samples.js';

const MAILS = /(<!-- mails -->\n)[^]*(<!-- end of mails -->\n)/;

/** The page of mails, with the text and the picture of each kind. */
export function mailPage(): string {
  const mails = mailSamples().map(
    ({ kind, subject, text }) => `
### \`${kind}\`

![${subject}](pictures/mails/${kind}.png)

\`\`\`text
Subject: ${subject}

${text}\`\`\`
`,
  );
  const page = readFileSync(join(ROOT, 'docs/mail.md'), 'utf8');
  return page.replace(MAILS, (_, begin: string, end: string) => `${begin}${mails.join('')}\n${end}`);
}
