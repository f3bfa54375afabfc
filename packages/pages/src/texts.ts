/** The texts of the pages without their scripts, in one language, as HTML. */
export interface PageTexts {
  readonly language: 'en' | 'de';
  readonly checkout: string;
  readonly portal: string;
  /** The purpose of the page of a wallet. */
  readonly lead: string;
  /** The advice to a browser without JavaScript. */
  readonly noScript: string;
  readonly noScriptOnCancel: string;
  readonly otherWays: string;
  readonly inTheApp: string;
  readonly inTheWallet: string;
  readonly locally: string;
  readonly forDevelopers: string;
  readonly calls: string;
}

const PROGRAM = '<code>De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44</code>';

const ENGLISH: PageTexts = {
  language: 'en',
  checkout: 'Subscribe',
  portal: 'Your subscriptions',
  lead: 'Connect the wallet with which you subscribed. You see what it pays for here, and can cancel, resume or close it. Nothing happens without your wallet’s approval.',
  noScript:
    'This page talks to your wallet with JavaScript, which is switched off in this browser. Switch it on and reload the page.',
  noScriptOnCancel:
    'This page talks to your wallet with JavaScript, which is switched off in this browser. Switch it on and reload the page, or cancel in one of the ways below.',
  otherWays: 'Other ways to cancel',
  inTheApp: 'In the app where you subscribed. It asks your wallet to sign the cancellation.',
  inTheWallet:
    'In your wallet, without any app: revoke the approval of the token that you pay with. No subscription in that token can be charged then.',
  locally: 'On this local chain, a command does what the wallet would:',
  forDevelopers: 'For developers',
  calls: `No key is needed. The first call lists what a wallet is subscribed to. The second answers the transaction that cancels one of them, for the wallet to sign and send. It calls <code>cancel_subscription</code> of the program ${PROGRAM}, as any wallet may without this service.`,
};

const GERMAN: PageTexts = {
  language: 'de',
  checkout: 'Abonnieren',
  portal: 'Ihre Abonnements',
  lead: 'Verbinden Sie die Wallet, mit der Sie abonniert haben. Sie sehen, wofür sie hier zahlt, und können es kündigen, fortsetzen oder schließen. Nichts geschieht ohne die Zustimmung Ihrer Wallet.',
  noScript:
    'Diese Seite spricht über JavaScript mit Ihrer Wallet, und es ist in diesem Browser ausgeschaltet. Schalten Sie es ein und laden Sie die Seite neu.',
  noScriptOnCancel:
    'Diese Seite spricht über JavaScript mit Ihrer Wallet, und es ist in diesem Browser ausgeschaltet. Schalten Sie es ein und laden Sie die Seite neu, oder kündigen Sie auf einem der Wege unten.',
  otherWays: 'Andere Wege zu kündigen',
  inTheApp:
    'In der App, in der Sie abonniert haben. Sie bittet Ihre Wallet, die Kündigung zu unterschreiben.',
  inTheWallet:
    'In Ihrer Wallet, ganz ohne App: Widerrufen Sie die Freigabe des Tokens, mit dem Sie zahlen. Dann kann kein Abonnement in diesem Token mehr abgebucht werden.',
  locally: 'Auf dieser lokalen Chain tut ein Befehl, was die Wallet täte:',
  forDevelopers: 'Für Entwickler',
  calls: `Dafür braucht es keinen Schlüssel. Der erste Aufruf listet auf, was eine Wallet abonniert hat. Der zweite antwortet mit der Transaktion, die eines davon kündigt; die Wallet unterschreibt und sendet sie. Sie ruft <code>cancel_subscription</code> des Programms ${PROGRAM} auf, wie es jede Wallet auch ohne diesen Dienst darf.`,
};

/** The languages of the pages. The first is for whoever reads none of them. */
const LANGUAGES: readonly [PageTexts, ...PageTexts[]] = [ENGLISH, GERMAN];

/** The language that a browser wants most, of a header such as `de-AT,de;q=0.9,en;q=0.5`. */
export function wantedLanguage(header: string | null): PageTexts {
  let [best] = LANGUAGES;
  let most = 0;
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [range = '', weight = 'q=1'] = part.split(';', 2).map((piece) => piece.trim());
    const language = LANGUAGES.find((one) => one.language === range.split('-', 1)[0]);
    const quality = weight.startsWith('q=') ? Number(weight.slice(2)) : Number.NaN;
    // The one that comes first wins among equals.
    if (language === undefined || !(quality > most)) continue;
    [best, most] = [language, quality];
  }
  return best;
}
