import type { MailKind } from '../../contract/enums.js';

/** The samples in German, without what is below each of them. */
export const GERMAN_MAILS: Readonly<Record<MailKind, string>> = {
  receipt: `Subject: Beleg von Night Library für Reader: 9,99 USDC

Ihre Zahlung ist angekommen

Vielen Dank: Ihre Zahlung von 9,99 USDC an Night Library für Reader ist
angekommen.

Die nächste Abbuchung folgt am 1. Februar 2027, 14:05 UTC, und bis dahin ist
nichts zu tun.

Beleg: NIGHT-000042
Tarif: Reader, alle 30 Tage
Zeitraum: 2. Januar 2027, 14:05 bis 1. Februar 2027, 14:05 UTC
Betrag: 9,99 USDC
Wallet: 7xKX…gAsU
Transaktion: 5VER…kQUW
https://explorer.solana.com/tx/5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW
Nächste Abbuchung: 1. Februar 2027, 14:05 UTC

Beleg ansehen:
#
`,

  renewal_ahead: `Subject: Reader bei Night Library verlängert sich am 1. Februar 2027, 14:05 UTC

Ihr Abonnement verlängert sich bald

Ihr Abonnement von Reader verlängert sich am 1. Februar 2027, 14:05 UTC.
Dann werden 9,99 USDC aus Ihrer Wallet 7xKX…gAsU abgebucht.

Solange so viel in der Wallet ist, müssen Sie nichts tun. Wenn Sie lieber
aufhören, kündigen Sie vor diesem Zeitpunkt: Dann wird nichts abgebucht, und
Ihr Zugang besteht bis dahin.

Abonnement ansehen:
#
`,

  cannot_pay: `Subject: Ihre Wallet kann Reader bei Night Library noch nicht bezahlen

Ihre Wallet kann noch nicht zahlen

Die nächste Abbuchung für Reader beträgt 9,99 USDC, am 1. Februar 2027,
14:05 UTC. In Ihrer Wallet 7xKX…gAsU fehlen dafür 2,49 USDC.

Laden Sie die Wallet bis dahin um 2,49 USDC auf. Dann wird wie gewohnt
abgebucht.

So, wie es jetzt ist, schlägt die Abbuchung fehl, und Ihr Zugang kann von da
an enden.

Abonnement ansehen:
#
`,

  payment_failed: `Subject: Ihre Zahlung für Reader bei Night Library schlug fehl

Ihre Zahlung ging nicht durch

Die Abbuchung von 9,99 USDC für Reader schlug fehl. In Ihrer Wallet
7xKX…gAsU fehlen dafür 2,49 USDC.

Laden Sie die Wallet um 2,49 USDC auf, und zahlen Sie dann. Sie müssen
nichts unterschreiben.

Der nächste Versuch ist am 2. Februar 2027, 14:05 UTC. Schlagen alle 3
Versuche fehl, die noch bleiben, wird das Abonnement gestoppt. Ihr Zugang
besteht bis zum 4. Februar 2027, 14:05 UTC.

Jetzt zahlen:
#
`,

  last_try: `Subject: Ohne Zahlung wird Reader bei Night Library am 4. Februar 2027, 14:05 UTC gestoppt

Ihr Abonnement wird bald gestoppt

Die Abbuchung von 9,99 USDC für Reader schlug fehl. In Ihrer Wallet
7xKX…gAsU fehlen dafür 2,49 USDC.

Laden Sie die Wallet um 2,49 USDC auf, und zahlen Sie dann. Sie müssen
nichts unterschreiben.

Der letzte Versuch ist am 4. Februar 2027, 14:05 UTC. Schlägt er fehl, wird
das Abonnement gestoppt. Ihr Zugang besteht bis zum 4. Februar 2027, 14:05
UTC.

Jetzt zahlen:
#
`,

  stopped: `Subject: Ihr Abonnement von Reader bei Night Library wurde gestoppt

Ihr Abonnement wurde gestoppt

Die Abbuchung von 9,99 USDC für Reader schlug fehl. In Ihrer Wallet
7xKX…gAsU fehlen dafür 2,49 USDC. Es wird nichts mehr abgebucht, und Ihr
Zugang ist zu Ende.

Wenn Sie weitermachen möchten, sorgen Sie dafür, dass 9,99 USDC in Ihrer
Wallet sind, und abonnieren Sie neu. Sonst ist nichts zu tun.

Neu abonnieren:
#
`,

  cancelled: `Subject: Ihr Abonnement von Reader bei Night Library ist gekündigt

Ihr Abonnement ist gekündigt

Ihr Abonnement von Reader ist gekündigt, und es wird nichts mehr abgebucht.
Ihr Zugang besteht bis zum 1. Februar 2027, 14:05 UTC.

Wenn Sie es sich anders überlegen, setzen Sie es vor dem 1. Februar 2027,
14:05 UTC fort. Dann läuft es weiter wie bisher. Sonst endet es dann, und es
ist nichts zu tun.

Fortsetzen:
#
`,

  ended: `Subject: Ihr Abonnement von Reader bei Night Library ist zu Ende

Ihr Abonnement ist zu Ende

Ihre Kündigung von Reader ist wirksam. Ihr Zugang ist zu Ende, und es wird
nichts mehr abgebucht.

Wenn Sie zurückkommen möchten, schließen Sie das alte Abonnement, womit das
Pfand zurückkommt, und abonnieren Sie neu. Sonst ist nichts zu tun.

Neu abonnieren:
#
`,

  plan_ends: `Subject: Reader bei Night Library endet am 1. Februar 2027, 14:05 UTC

Ihr Tarif endet bald

Der Tarif Reader von Night Library endet am 1. Februar 2027, 14:05 UTC, und
es folgt keine Abbuchung. Ihr Zugang besteht bis zum 1. Februar 2027, 14:05
UTC.

Sie müssen nichts tun. Wenn der Tarif zu Ende ist, können Sie das Abonnement
schließen, womit das Pfand zurückkommt.

Abonnement ansehen:
#
`,
};

/** What is below each of them. */
export const GERMAN_FOOTER = `
Night Library

Sie erhalten diese E-Mail, weil Night Library diese Adresse zu Ihrem
Abonnement von Reader hat.

Ihr Link öffnet Ihr Abonnement für jeden, der ihn hat: Behalten Sie diese
E-Mail für sich.
`;
