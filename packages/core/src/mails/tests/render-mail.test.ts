import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { MailKind } from '../../contract/enums.js';
import type { MailFacts } from '../../records/index.js';
import { MADE_AT, aPlan, aProject } from '../../testing/records.js';
import { renderMail, type MailContent } from '../render-mail.js';

const WALLET = '7dHbWXmci3dT8UFYWYZweBLXgycu7Y3iL6trKn1Y7ARj';
const LINK = 'https://pay.example/portal#chs_1';

const FACTS: MailFacts = {
  amount: 4_200_000n,
  missing: null,
  periodStart: MADE_AT,
  periodEnd: MADE_AT,
  signature: 'sig',
  reason: null,
  dueAt: MADE_AT,
  accessUntil: MADE_AT,
  retriesLeft: 2,
  byHand: false,
};

const render = (kind: MailKind, facts: Partial<MailFacts> = {}, more: Partial<MailContent> = {}) =>
  renderMail({
    mail: { kind, facts: { ...FACTS, ...facts } },
    project: aProject({ name: 'Night Library', logoUrl: null }),
    look: null,
    plan: aPlan({ name: 'Reader', decimals: 6 }),
    symbol: 'USDC',
    wallet: WALLET,
    network: 'devnet',
    link: LINK,
    language: null,
    ...more,
  });

const LANGUAGES = ['en', 'de'] as const;
const EVERY = MailKind.options.flatMap((kind) => LANGUAGES.map((language) => [kind, language] as const));

// mails#kinds-of-mails
describe.each(EVERY)('the mail %s in %s', (kind, language) => {
  it('names the project, the plan and the link, in both versions, and leaves no place unfilled', () => {
    const { subject, text, html } = render(kind, {}, { language });
    for (const version of [text, html]) {
      expect(version).toContain('Night Library');
      expect(version).toContain('Reader');
      expect(version).toContain(LINK);
      expect(version).not.toMatch(/\{\{|undefined|null|NaN/);
    }
    expect(subject).toContain('Reader');
    expect(html).toContain(`lang="${language}"`);
    for (const line of text.split('\n')) if (!line.includes('https:')) expect(line.length).toBeLessThan(77);
  });

  // mails#nothing-of-a-stranger-in-a-header
  it('shows what people typed as one line, escaped, whatever they typed', () => {
    const typed = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 });
    const hostile = fc.constantFrom(
      '<script>alert(1)</script>',
      'A\r\nBcc: eve@example.com',
      '"><img src=x onerror=alert(1)>',
      '{{link}} {{#rows}}',
      '\u202Eevil\u0000',
    );
    fc.assert(
      fc.property(fc.oneof(typed, hostile), fc.oneof(typed, hostile), (name, reason) => {
        const project = aProject({ name, logoUrl: null });
        const { subject, text, html } = render(
          kind,
          { reason },
          { language, project, plan: aPlan({ name }) },
        );
        expect(subject).not.toMatch(/[\r\n\p{Cc}\p{Bidi_Control}]/u);
        expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
        expect(html).not.toMatch(/<script|<img src=x|\nBcc/);
      }),
      { numRuns: 40 },
    );
  });
});

describe('the cause of a payment that failed', () => {
  it.each<[string, Partial<MailFacts>, string]>([
    ['insufficient_balance', { missing: 1_500_000n }, 'Your wallet 7dHb…7ARj lacks 1.50 USDC of it.'],
    ['insufficient_balance', {}, 'Your wallet 7dHb…7ARj holds too little for it.'],
    ['program_4', {}, 'has taken back its approval of the charges'],
    ['authority_closed', {}, 'has withdrawn its permission'],
    ['token_account_frozen', {}, 'has frozen the account'],
    ['program_508', {}, 'The reason on record is the code program_508.'],
  ])('%s is said in words', (reason, facts, words) => {
    const { text } = render('payment_failed', { reason, ...facts });
    expect(text.replaceAll('\n', ' ')).toContain(words);
  });

  it('offers to pay only where money helps', () => {
    expect(render('payment_failed', { reason: 'insufficient_balance' }).text).toContain('Pay now:');
    expect(render('payment_failed', { reason: 'program_4' }).text).toContain('See your subscription:');
  });
});

describe('the look of a mail', () => {
  it.each([
    ['#0a7d5a', '#ffffff'],
    ['#ffe066', '#000000'],
  ])('has a button of the colour %s with text of %s', (accent, ink) => {
    const { html } = render('receipt', {}, { look: { accent } });
    expect(html).toContain(accent);
    expect(html.toLowerCase()).toContain(`color:${ink}`);
  });

  it.each([
    ['https://shop.example/logo.png', true],
    ['http://shop.example/logo.png', false],
    ['javascript:alert(1)', false],
  ])('shows the logo %s: %s', (logoUrl, isShown) => {
    const { html } = render('receipt', {}, { project: aProject({ name: 'Shop', logoUrl }) });
    expect(html.includes(logoUrl)).toBe(isShown);
  });

  it.each([null, 'javascript:alert(1)', 'data:text/html,x'])('opens nothing for the link %s', (link) => {
    expect(render('receipt', {}, { link }).html).toContain('href="#"');
  });

  it('leads from a receipt to the transaction in an explorer', () => {
    const address = 'https://explorer.solana.com/tx/sig?cluster=devnet';
    expect(render('receipt').html).toContain(`href="${address}"`);
    expect(render('receipt').text).toContain(address);
  });

  it('speaks English to whoever reads no language of it', () => {
    const subject = 'Receipt from Night Library for Reader: 4.20 USDC';
    expect(render('receipt', {}, { language: 'tlh' }).subject).toBe(subject);
    expect(render('receipt', {}, { language: 'de-AT' }).subject).not.toBe(subject);
    expect(render('receipt', {}, { symbol: null }).subject).toContain('4.20 tokens');
  });
});
