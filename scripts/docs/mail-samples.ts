import { MailKind } from '../../packages/core/src/contract/enums.js';
import { type MailContent, renderMail } from '../../packages/core/src/mails/render-mail.js';
import { sampleMail } from '../../packages/core/src/mails/sample-mails.js';

const LINK = 'https://pay.example/portal#chs_…';

/** A mail of each kind, as the docs and their pictures show it. */
export function mailSamples(content: Partial<MailContent> = {}) {
  return MailKind.options.map((kind) => ({
    kind,
    ...renderMail({ ...sampleMail(kind), link: LINK, ...content }),
  }));
}
