import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CustomerAction } from '../../contract/customer.js';
import { MailKind } from '../../contract/enums.js';
import type { MailFacts } from '../../records/index.js';
import { inkOn } from '../ink.js';
import { LAYOUT } from '../layout.js';
import { type MailContent, renderMail } from '../render-mail.js';
import { sampleMail } from '../sample-mails.js';
import { ENGLISH_FOOTER, ENGLISH_MAILS } from './english-mails.js';
import { GERMAN_FOOTER, GERMAN_MAILS } from './german-mails.js';

const LINK = 'https://pay.example/portal?a=1&b=2#chs_secret';

const DUE = new Date('2027-02-01T14:05:00.000Z');

function mail(kind: MailKind, facts: Partial<MailFacts> = {}, content: Partial<MailContent> = {}) {
  return renderMail({ ...sampleMail(kind, facts), link: LINK, ...content });
}

/** The paragraphs and the button of a mail, each on one line. */
function saidBy(kind: MailKind, facts: Partial<MailFacts>, content: Partial<MailContent> = {}) {
  const [, ...paragraphs] = mail(kind, facts, content).text.split('\n\n');
  const lines = paragraphs.map((paragraph) => paragraph.replaceAll('\n', ' '));
  const button = lines.findIndex((line) => line.endsWith(LINK));
  return [...lines.slice(0, button), lines[button]?.replace(`: ${LINK}`, '')];
}

// mails#kinds-of-mails
it.each([
  ...MailKind.options.map((kind) => ['en', kind, ENGLISH_MAILS[kind] + ENGLISH_FOOTER] as const),
  ...MailKind.options.map((kind) => ['de', kind, GERMAN_MAILS[kind] + GERMAN_FOOTER] as const),
])('in %s the mail %s says all of this', (language, kind, said) => {
  const { subject, text } = mail(kind, {}, { language, link: null });
  expect(`Subject: ${subject}\n\n${text}`).toBe(said);
});

const SHORT = { reason: 'insufficient_balance' };

// mails#kinds-of-mails
it.each<[string, MailKind, Partial<MailFacts>, string[], CustomerAction[]?]>([
  [
    'what is missing is not known',
    'payment_failed',
    { ...SHORT, missing: null, retriesLeft: 1 },
    [
      'The charge of 9.99 USDC for Reader failed. Your wallet 7xKX…gAsU holds too little for it.',
      'Make sure that the wallet holds 9.99 USDC, then pay now. There is nothing to sign.',
      'The next try is on 2 February 2027, 14:05 UTC. If it fails, the subscription stops. Your access lasts until 4 February 2027, 14:05 UTC.',
      'Pay now',
    ],
  ],
  [
    'only a call of the customer charges again',
    'payment_failed',
    { accessUntil: null, byHand: true },
    [
      'The charge of 9.99 USDC for Reader failed. Your wallet 7xKX…gAsU lacks 2.49 USDC of it.',
      'Add 2.49 USDC to the wallet, then pay now. There is nothing to sign.',
      'Nothing is charged on its own: without a payment by 2 February 2027, 14:05 UTC, the subscription is over. Your access has ended, and comes back with the payment.',
      'Pay now',
    ],
  ],
  [
    'the plan ends before the next try, and the approval is taken back',
    'payment_failed',
    { reason: 'program_4', missing: null, dueAt: null, retriesLeft: 0 },
    [
      'The charge of 9.99 USDC for Reader failed. Your wallet 7xKX…gAsU has taken back its approval of the charges.',
      'Subscribe again once this subscription has stopped: the wallet then approves the charges anew.',
      'No further try follows on its own. Your access lasts until 4 February 2027, 14:05 UTC.',
      'See your subscription',
    ],
  ],
  [
    'tries are not counted, and the reason has no sentence',
    'payment_failed',
    { reason: 'program_508', missing: null, retriesLeft: null },
    [
      'The charge of 9.99 USDC for Reader failed. The reason on record is the code program_508.',
      'Make sure that the wallet holds 9.99 USDC, then pay now. There is nothing to sign.',
      'The next try is on 2 February 2027, 14:05 UTC. Your access lasts until 4 February 2027, 14:05 UTC.',
      'Pay now',
    ],
  ],
  [
    'the last try is by hand, and the account is frozen',
    'last_try',
    { reason: 'token_account_frozen', missing: null, byHand: true, accessUntil: null },
    [
      'The charge of 9.99 USDC for Reader failed. The issuer of the token has frozen the account of your wallet 7xKX…gAsU.',
      'Only the issuer can lift that. Ask there, or subscribe again with another wallet once this subscription has stopped.',
      'Nothing is charged on its own: without a payment by 4 February 2027, 14:05 UTC, the subscription is over. Your access has ended, and comes back with the payment.',
      'See your subscription',
    ],
  ],
  [
    'the authority is closed before a charge',
    'cannot_pay',
    { reason: 'authority_closed', missing: null },
    [
      'The next charge for Reader is 9.99 USDC on 1 February 2027, 14:05 UTC. Your wallet 7xKX…gAsU has withdrawn its permission for these charges for good.',
      'Once this subscription has stopped, close it, which returns its deposit, and subscribe again.',
      'As things stand, the charge fails, and your access can end from that date on.',
      'See your subscription',
    ],
  ],
  [
    'too little is approved',
    'cannot_pay',
    { reason: 'program_1', missing: null },
    [
      'The next charge for Reader is 9.99 USDC on 1 February 2027, 14:05 UTC. Your wallet 7xKX…gAsU holds less than that, or has approved less.',
      'Make sure that the wallet holds 9.99 USDC. If it does, its approval is too small: subscribe again once this subscription has stopped, and the wallet approves the charges anew.',
      'As things stand, the charge fails, and your access can end from that date on.',
      'See your subscription',
    ],
  ],
  [
    'it was not paid in time',
    'stopped',
    { reason: 'retry_deadline_passed', missing: null },
    [
      'The payment of 9.99 USDC for Reader did not come in time. Nothing more is charged, and your access has ended.',
      'To go on, see that your wallet holds 9.99 USDC, and subscribe again. Otherwise there is nothing to do.',
      'Subscribe again',
    ],
  ],
  [
    'the authority was made anew',
    'stopped',
    { reason: 'program_136', missing: null },
    [
      'The charge of 9.99 USDC for Reader failed. Your wallet 7xKX…gAsU has withdrawn its permission for these charges for good. Nothing more is charged, and your access has ended.',
      'To go on, close this subscription, which returns its deposit, and subscribe again. Otherwise there is nothing to do.',
      'Subscribe again',
    ],
  ],
  [
    'the approval was taken back',
    'stopped',
    { reason: 'program_4', missing: null },
    [
      'The charge of 9.99 USDC for Reader failed. Your wallet 7xKX…gAsU has taken back its approval of the charges. Nothing more is charged, and your access has ended.',
      'To go on, subscribe again with 9.99 USDC in the wallet, which then approves the charges anew. Otherwise there is nothing to do.',
      'Subscribe again',
    ],
  ],
  [
    'the account is of another wallet',
    'stopped',
    { reason: 'token_account_reassigned', missing: null },
    [
      'The charge of 9.99 USDC for Reader failed. The token account of your wallet 7xKX…gAsU now belongs to another wallet. Nothing more is charged, and your access has ended.',
      'To go on, subscribe again with another wallet. Otherwise there is nothing to do.',
      'Subscribe again',
    ],
  ],
  [
    'nobody knows why',
    'stopped',
    { reason: null, missing: null },
    [
      'The charge of 9.99 USDC for Reader failed. The reason is not known. Nothing more is charged, and your access has ended.',
      'To go on, see that your wallet holds 9.99 USDC, and subscribe again. Otherwise there is nothing to do.',
      'Subscribe again',
    ],
  ],
  [
    'it was cancelled while behind',
    'cancelled',
    { accessUntil: null },
    [
      'Your subscription to Reader is cancelled, and nothing more is charged. Your access has ended, because the running period was not paid.',
      'It cannot be resumed. To come back, close it once it has ended, which returns its deposit, and subscribe again.',
      'See your subscription',
    ],
  ],
  ...(
    [
      [
        'plan_ended',
        'The plan Reader has ended. Your access has ended with it, and nothing more is charged.',
      ],
      [
        'plan_removed',
        'The plan Reader of Night Library is gone. Your access has ended with it, and nothing more is charged.',
      ],
      [
        'plan_replaced',
        'The plan Reader of Night Library is gone. Your access has ended with it, and nothing more is charged.',
      ],
    ] as const
  ).map(([reason, sentence]): [string, MailKind, Partial<MailFacts>, string[], CustomerAction[]] => [
    `its end is ${reason}`,
    'ended',
    { reason },
    [
      sentence,
      'You can close the subscription now, which returns its deposit. Otherwise there is nothing to do.',
      'See your subscription',
    ],
    ['close'],
  ]),
  [
    'the old one is closed already',
    'ended',
    {},
    [
      'Your cancellation of Reader has taken effect. Your access has ended, and nothing more is charged.',
      'To come back, subscribe again. Otherwise there is nothing to do.',
      'Subscribe again',
    ],
    ['subscribe'],
  ],
  [
    'nothing can be done any more',
    'ended',
    {},
    [
      'Your cancellation of Reader has taken effect. Your access has ended, and nothing more is charged.',
      'See your subscription',
    ],
    [],
  ],
  [
    'the plan takes nobody',
    'stopped',
    {},
    [
      'The charge of 9.99 USDC for Reader failed. Your wallet 7xKX…gAsU lacks 2.49 USDC of it. Nothing more is charged, and your access has ended.',
      'Reader takes no new subscriptions, so there is nothing to do.',
      'See your subscription',
    ],
    ['close'],
  ],
  [
    'the wallet could pay, and nobody asked for it',
    'last_try',
    { reason: null, missing: null, byHand: true, accessUntil: null, retriesLeft: null },
    [
      'Your payment of 9.99 USDC for Reader is missing.',
      'Make sure that the wallet holds 9.99 USDC, then pay now. There is nothing to sign.',
      'Nothing is charged on its own: without a payment by 4 February 2027, 14:05 UTC, the subscription is over. Your access has ended, and comes back with the payment.',
      'Pay now',
    ],
  ],
  [
    'no try by hand is left',
    'payment_failed',
    { byHand: true, retriesLeft: 0, accessUntil: null },
    [
      'The charge of 9.99 USDC for Reader failed. Your wallet 7xKX…gAsU lacks 2.49 USDC of it.',
      'No try is left. The subscription is over on 2 February 2027, 14:05 UTC, and you can subscribe again then. Your access has ended.',
      'See your subscription',
    ],
  ],
  [
    'its deadline has passed',
    'payment_failed',
    { byHand: true, dueAt: null, accessUntil: null },
    [
      'The charge of 9.99 USDC for Reader failed. Your wallet 7xKX…gAsU lacks 2.49 USDC of it.',
      'No further try follows on its own.',
      'See your subscription',
    ],
  ],
  [
    'no charge follows',
    'receipt',
    { dueAt: null, periodStart: null, signature: null, reason: 'plan_ended' },
    [
      'Thank you: your payment of 9.99 USDC to Night Library for Reader has arrived.',
      'No charge follows, and there is nothing to do.',
      'Receipt: NIGHT-000042 Plan: Reader, every 30 days Amount: 9.99 USDC Wallet: 7xKX…gAsU Next charge: none',
      'See your receipt',
    ],
  ],
  [
    'nobody knows what follows',
    'receipt',
    { dueAt: null },
    [
      'Thank you: your payment of 9.99 USDC to Night Library for Reader has arrived.',
      'Receipt: NIGHT-000042 Plan: Reader, every 30 days Period: 2 January 2027, 14:05 to 1 February 2027, 14:05 UTC Amount: 9.99 USDC Wallet: 7xKX…gAsU Transaction: 5VER…kQUW https://explorer.solana.com/tx/5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
      'See your receipt',
    ],
  ],
  [
    'access has ended before',
    'plan_ends',
    { accessUntil: null },
    [
      'The plan Reader of Night Library ends on 1 February 2027, 14:05 UTC, and no charge follows.',
      'There is nothing to do. Once the plan has ended, you can close the subscription, which returns its deposit.',
      'See your subscription',
    ],
  ],
])('where %s, the mail %s says so', (_, kind, facts, said, actions) => {
  expect(saidBy(kind, facts, actions && { actions })).toEqual(said);
});

it.each(['renewal_ahead', 'cannot_pay', 'last_try', 'plan_ends'] as const)(
  'a mail %s without its date is none',
  (kind) => {
    expect(() => mail(kind, { dueAt: null })).toThrow(
      `A mail of the kind ${kind} has no date: its fact dueAt is null.`,
    );
  },
);

/** The reasons with a sentence of their own, one without, and none. */
const REASONS = [
  ...['insufficient_balance', 'program_1', 'program_4', 'authority_closed', 'token_account_frozen'],
  ...['token_account_reassigned', 'retry_deadline_passed', 'program_508', null],
  ...['cancelled', 'plan_ended', 'plan_removed'],
];

const kindsAndActions = () =>
  MailKind.options.flatMap((kind) =>
    ([[], ['close'], ['subscribe'], ['subscribe', 'close']] as const).map(
      (actions) => [kind, actions] as const,
    ),
  );

// Each sentence of the two languages is said somewhere here.
it('tells nobody in German what it tells in English, and leaves no gap in a sentence', () => {
  const english = new Set<string>();
  for (const [kind, actions] of kindsAndActions())
    for (const reason of REASONS)
      for (const byHand of [true, false])
        for (const accessUntil of [DUE, null])
          for (const missing of [2_490_000n, null])
            for (const retriesLeft of [null, 0, 1, 3]) {
              const facts = { reason, byHand, accessUntil, missing, retriesLeft };
              const [de, en] = ['de', null].map((language) => saidBy(kind, facts, { language, actions }));
              for (const sentence of en ?? []) english.add(String(sentence));
              expect(de?.length).toBe(en?.length);
              // A word of the two languages alone would be no sentence.
              expect(de?.filter((sentence) => english.has(String(sentence)))).toEqual([]);
              expect([...(en ?? []), ...(de ?? [])].join('\n')).not.toMatch(/undefined|null| {2}| [.,:]/);
            }
});

it.each([
  ['de-AT', 'Ihre Zahlung ist angekommen'],
  ['DE', 'Ihre Zahlung ist angekommen'],
  ['fr', 'Your payment has arrived'],
  ['', 'Your payment has arrived'],
  [null, 'Your payment has arrived'],
])('in the language %s the heading is: %s', (language, heading) => {
  const { text, html } = mail('receipt', {}, { language });
  expect(text.split('\n')[0]).toBe(heading);
  expect(html).toContain(`>${heading}</h1>`);
});

it.each<[bigint, number, string | null, string, string]>([
  [1n, 6, 'USDC', 'en', '0.000001 USDC'],
  [4_200_000n, 6, 'USDC', 'en', '4.20 USDC'],
  [4_000_000n, 6, 'USDC', 'de', '4 USDC'],
  [1_234_567_890_000n, 6, 'USDC', 'en', '1,234,567.89 USDC'],
  [1_234_567_890_000n, 6, 'USDC', 'de', '1.234.567,89 USDC'],
  [15n, 1, null, 'en', '1.5 tokens'],
  [2n ** 64n - 1n, 0, null, 'de', '18.446.744.073.709.551.615 Token'],
])(
  'writes %s of a token with %s decimals and the symbol %s in %s: %s',
  (amount, decimals, symbol, language, written) => {
    const plan = { ...sampleMail('receipt').plan, decimals };
    expect(mail('receipt', { amount }, { plan, symbol, language }).text).toMatch(
      new RegExp(`^(Amount|Betrag): ${written.replaceAll('.', '\\.')}$`, 'm'),
    );
  },
);

it.each([
  [24, 'every day', 'jeden Tag'],
  [1, 'every hour', 'jede Stunde'],
  [36, 'every 36 hours', 'alle 36 Stunden'],
  [168, 'every 7 days', 'alle 7 Tage'],
])('says of %s hours: %s, %s', (periodHours, ...said) => {
  const plan = { ...sampleMail('receipt').plan, periodHours };
  const periods = ['en', 'de'].map((language) => mail('receipt', {}, { plan, language }).text);
  expect(periods.map((text) => /^(?:Plan|Tarif): Reader, (.*)$/m.exec(text)?.[1])).toEqual(said);
});

it.each([
  ['mainnet-beta', ''],
  ['devnet', '?cluster=devnet'],
] as const)('leads to the payment in an explorer of %s', (network, cluster) => {
  const { text, html } = mail('receipt', { signature: 'SIGNATURE' }, { network });
  expect(text).toContain(`Transaction: SIGN…TURE\nhttps://explorer.solana.com/tx/SIGNATURE${cluster}\n`);
  expect(html).toContain(`href="https://explorer.solana.com/tx/SIGNATURE${cluster}"`);
});

it('leads to no explorer on a local chain, which none shows', () => {
  const { text, html } = mail('receipt', { signature: 'SIGNATURE' }, { network: null });
  expect(text).toContain('Transaction: SIGN…TURE\nNext charge');
  expect(html).toContain('>SIGN…TURE</td>');
  expect(html + text).not.toContain('explorer');
});

it('shows a plan without a name by its slug', () => {
  const plan = { ...sampleMail('ended').plan, name: ' ' };
  expect(mail('ended', {}, { plan }).subject).toBe('Your subscription to reader at Night Library has ended');
});

// portal#look-of-a-project
it.each([
  ['#ffcc00', '#000000'],
  ['#0a3d2a', '#ffffff'],
  ['#ffffff', '#000000'],
  ['#000000', '#ffffff'],
  // The contrast of the first is 4.61 with white, that of the second 4.62 with black.
  ['#757575', '#ffffff'],
  ['#767676', '#000000'],
])('a button of %s has the text %s', (accent, ink) => {
  expect(inkOn(accent)).toBe(ink);
  const { html } = mail('receipt', {}, { look: { accent } });
  expect(html).toContain(`background:${accent};color:${ink};`);
});

it.each([null, { accent: null }, { accent: 'red;}' }])('the look %j has the colour of the pages', (look) => {
  expect(mail('receipt', {}, { look }).html).toContain('background:#1f55c9;color:#ffffff;');
});

it('shows the logo with the name in its place, and the name without one', () => {
  const name = 'Books & "Tea"';
  const logo = (logoUrl: string | null) => mail('ended', {}, { project: { name, logoUrl } }).html;
  expect(logo('https://shop.example/a.png?x=1&y="')).toContain(
    '<img src="https://shop.example/a.png?x=1&amp;y=&quot;" alt="Books &amp; &quot;Tea&quot;"',
  );
  for (const none of [null, 'http://shop.example/a.png', 'javascript:alert(1)', 'data:image/png;base64,x']) {
    expect(logo(none)).not.toContain('<img');
    expect(logo(none)).toContain('>Books &amp; &quot;Tea&quot;</div>');
  }
});

it.each([null, 'javascript:alert(1)', 'data:text/html,x', ' https://pay.example', 'ftp://pay.example'])(
  'the link %s is none',
  (link) => {
    const { html, text } = mail('stopped', {}, { link });
    expect(html).toContain('href="#"');
    expect(text).toContain('\n\nSubscribe again:\n#\n\n');
  },
);

// mails#nothing-of-a-stranger-in-a-header
it.each([
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['" onload="alert(1)', '" onload="alert(1)'],
  ["Tom & Jerry's", "Tom & Jerry's"],
  ['{{link}} {{#rows}}{{/rows}} $& $1', '{{link}} {{#rows}}{{/rows}} $& $1'],
  ['a\r\nBcc: b@example.com', 'a Bcc: b@example.com'],
  ['a\u2028b\u2029c\u0085d\u0000e', 'a b c d e'],
  ['evil\u202egnp.exe\u2066', 'evil gnp.exe'],
  ['half \ud83d', 'half'],
  ['ספרייה 📚 مكتبة 👩‍🚀', 'ספרייה 📚 مكتبة 👩‍🚀'],
])('shows the name %j as text and nothing else', (name, shown) => {
  const plan = { ...sampleMail('ended').plan, name };
  const project = { name, logoUrl: null };
  const { subject, text, html } = mail('ended', {}, { plan, project });
  expect(subject).toBe(`Your subscription to ${shown} at ${shown} has ended`);
  expect(text.replaceAll('\n', ' ')).toContain(`Your cancellation of ${shown} has taken effect.`);
  const escaped = shown.replace(/[&<>"']/g, (one) => `&${ENTITIES[one]};`);
  expect(html).toContain(`<title>Your subscription to ${escaped} at ${escaped} has ended</title>`);
  expect(html).toContain(`>${escaped}</div>`);
});

const ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": '#39',
};

/** A mail of a kind without what it says: its tags, and how often each is there. */
const tagsOf = (html: string) => html.match(/<[^>]*/g)?.map((tag) => /^<\/?[\w!-]*/.exec(tag)?.[0]);

// mails#nothing-of-a-stranger-in-a-header
it('no name adds a tag, a place or a line, whatever it is', () => {
  const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 64 });
  const part = fc.constantFrom('<b>', '</td>', '<!--', '"', "'", '&', '{{', '}}', '{{#table}}', '\r\n', '>');
  const hostile = fc.array(fc.oneof(name, part), { maxLength: 8 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      fc.constantFrom(...MailKind.options),
      fc.constantFrom('en', 'de'),
      fc.record({ project: hostile, plan: hostile, reason: hostile, signature: hostile }),
      (kind, language, { project, plan, reason, signature }) => {
        const one = (text: string) => ({
          plan: { ...sampleMail(kind).plan, name: text === '' ? plan : text },
          project: { name: text === '' ? project : text, logoUrl: null },
          language,
        });
        const plain = mail(kind, { reason: 'x', signature: 'x' }, one('x'));
        // The causes are those of the same kind: a hostile reason has no sentence of its own.
        const told = mail(kind, { reason: `x${reason}`, signature: `x${signature}` }, one(''));
        expect(tagsOf(told.html)).toEqual(tagsOf(plain.html));
        expect(told.subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(told.text.split('\n\n').length).toBe(plain.text.split('\n\n').length);
        expect(told.text).toContain(`\n${LINK}\n`);
      },
    ),
  );
});

it('wraps the text at 76 characters, and leaves a link whole', () => {
  const { text } = mail('payment_failed', {}, { link: `https://pay.example/${'x'.repeat(120)}` });
  const long = text.split('\n').filter((line) => line.length > 76);
  expect(long).toEqual([`https://pay.example/${'x'.repeat(120)}`]);
});

it('fills every place of the layout, and each with what belongs there', () => {
  const { html, subject } = mail(
    'receipt',
    {},
    { project: { name: 'Shop', logoUrl: 'https://a.example/l' } },
  );
  expect(html).not.toMatch(/\{\{|\}\}/);
  for (const shown of [
    '<html lang="en" dir="ltr"',
    `<title>${subject}</title>`,
    'The next charge follows on 1 February 2027, 14:05 UTC, and there is nothing to do until then.</div>',
    'src="https://a.example/l" alt="Shop"',
    `href="${LINK.replace('&', '&amp;')}"`,
    '>Plan</td>',
    '>Reader, every 30 days</td>',
    'See your receipt',
    'Its link opens your subscription',
  ])
    expect(html).toContain(shown);
});

it('keeps every mail below 12 kB, and each line short enough for every mail server', () => {
  expect(LAYOUT.length).toBeLessThan(12_000);
  for (const kind of MailKind.options) {
    const { html } = mail(kind);
    expect(html.length).toBeLessThan(12_000);
    expect(Math.max(...html.split('\n').map((line) => line.length))).toBeLessThan(998);
  }
});
