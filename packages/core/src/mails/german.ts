import type { MailLanguage } from './language.js';

/** The mails in German. */
export const GERMAN: MailLanguage = {
  locale: 'de',
  months: [
    ...['Januar', 'Februar', 'März', 'April', 'Mai', 'Juni', 'Juli', 'August'],
    ...['September', 'Oktober', 'November', 'Dezember'],
  ],
  day: (day, month, year) => `${day}. ${month} ${year}`,
  marks: { decimal: ',', group: '.' },
  tokens: 'Token',
  every: (count, unit) => {
    if (count === 1) return unit === 'day' ? 'jeden Tag' : 'jede Stunde';
    return `alle ${count} ${unit === 'day' ? 'Tage' : 'Stunden'}`;
  },

  subject: {
    receipt: ({ project, plan, amount }) => `Beleg von ${project} für ${plan}: ${amount}`,
    renewal_ahead: ({ project, plan, due }) => `${plan} bei ${project} verlängert sich am ${due}`,
    cannot_pay: ({ project, plan }) => `Ihre Wallet kann ${plan} bei ${project} noch nicht bezahlen`,
    payment_failed: ({ project, plan }) => `Ihre Zahlung für ${plan} bei ${project} schlug fehl`,
    last_try: ({ project, plan, due }) => `Ohne Zahlung wird ${plan} bei ${project} am ${due} gestoppt`,
    stopped: ({ project, plan }) => `Ihr Abonnement von ${plan} bei ${project} wurde gestoppt`,
    cancelled: ({ project, plan }) => `Ihr Abonnement von ${plan} bei ${project} ist gekündigt`,
    ended: ({ project, plan }) => `Ihr Abonnement von ${plan} bei ${project} ist zu Ende`,
    plan_ends: ({ project, plan, due }) => `${plan} bei ${project} endet am ${due}`,
  },
  heading: {
    receipt: 'Ihre Zahlung ist angekommen',
    renewal_ahead: 'Ihr Abonnement verlängert sich bald',
    cannot_pay: 'Ihre Wallet kann noch nicht zahlen',
    payment_failed: 'Ihre Zahlung ging nicht durch',
    last_try: 'Ihr Abonnement wird bald gestoppt',
    stopped: 'Ihr Abonnement wurde gestoppt',
    cancelled: 'Ihr Abonnement ist gekündigt',
    ended: 'Ihr Abonnement ist zu Ende',
    plan_ends: 'Ihr Tarif endet bald',
  },
  actions: {
    pay: 'Jetzt zahlen',
    receipt: 'Beleg ansehen',
    subscribe: 'Neu abonnieren',
    resume: 'Fortsetzen',
    show: 'Abonnement ansehen',
  },
  footer: [
    ({ project, plan }) =>
      `Sie erhalten diese E-Mail, weil ${project} diese Adresse zu Ihrem Abonnement von ${plan} hat.`,
    () => 'Ihr Link öffnet Ihr Abonnement für jeden, der ihn hat: Behalten Sie diese E-Mail für sich.',
  ],

  test: 'Dies ist ein Test: Es wurde nichts bezahlt, der Beleg ist ein Muster, und der Link öffnet kein Abonnement.',

  causes: {
    balance: ({ wallet, missing }) =>
      missing === null
        ? `In Ihrer Wallet ${wallet} ist zu wenig dafür.`
        : `In Ihrer Wallet ${wallet} fehlen dafür ${missing}.`,
    balance_or_approval: ({ wallet }) =>
      `In Ihrer Wallet ${wallet} ist weniger als das, oder sie hat weniger erlaubt.`,
    approval: ({ wallet }) => `Ihre Wallet ${wallet} nahm ihre Erlaubnis für die Abbuchungen zurück.`,
    authority: ({ wallet }) => `Ihre Wallet ${wallet} erlaubt diese Abbuchungen endgültig nicht mehr.`,
    frozen: ({ wallet }) => `Der Herausgeber des Tokens hat das Konto Ihrer Wallet ${wallet} eingefroren.`,
    reassigned: ({ wallet }) =>
      `Das Konto des Tokens Ihrer Wallet ${wallet} gehört jetzt einer anderen Wallet.`,
    too_late: ({ plan, amount }) => `Die Zahlung von ${amount} für ${plan} kam nicht rechtzeitig.`,
    other: ({ code }) =>
      code === null ? 'Der Grund ist nicht bekannt.' : `Als Grund ist der Code ${code} vermerkt.`,
  },
  remedies: {
    balance_or_approval: ({ amount }) =>
      `Sorgen Sie dafür, dass ${amount} in der Wallet sind. Sind sie es schon, ist ihre Erlaubnis zu klein: Abonnieren Sie neu, sobald dieses Abonnement gestoppt wurde. Dann erlaubt die Wallet die Abbuchungen wieder.`,
    approval: () =>
      'Abonnieren Sie neu, sobald dieses Abonnement gestoppt wurde: Dann erlaubt die Wallet die Abbuchungen wieder.',
    authority: () =>
      'Schließen Sie dieses Abonnement, sobald es gestoppt wurde, womit das Pfand zurückkommt, und abonnieren Sie dann neu.',
    frozen: () =>
      'Nur der Herausgeber kann das aufheben. Fragen Sie dort, oder abonnieren Sie mit einer anderen Wallet neu, sobald dieses Abonnement gestoppt wurde.',
    reassigned: () => 'Abonnieren Sie mit einer anderen Wallet neu, sobald dieses Abonnement gestoppt wurde.',
  },
  access: ({ access }) => `Ihr Zugang besteht bis zum ${access}.`,
  noAccess: 'Ihr Zugang ist zu Ende und kommt mit der Zahlung zurück.',
  nothingToDo: 'Sonst ist nichts zu tun.',

  rows: {
    number: 'Beleg',
    plan: 'Tarif',
    period: 'Zeitraum',
    amount: 'Betrag',
    wallet: 'Wallet',
    transaction: 'Transaktion',
    next: 'Nächste Abbuchung',
  },
  span: (from, to) => `${from} bis ${to}`,
  none: 'keine',

  paid: ({ project, plan, amount }) =>
    `Vielen Dank: Ihre Zahlung von ${amount} an ${project} für ${plan} ist angekommen.`,
  nextCharge: ({ due }) => `Die nächste Abbuchung folgt am ${due}, und bis dahin ist nichts zu tun.`,
  noNextCharge: 'Es folgt keine Abbuchung, und es ist nichts zu tun.',

  renews: ({ plan, wallet, amount, due }) =>
    `Ihr Abonnement von ${plan} verlängert sich am ${due}. Dann werden ${amount} aus Ihrer Wallet ${wallet} abgebucht.`,
  keepAmount: () =>
    'Solange so viel in der Wallet ist, müssen Sie nichts tun. Wenn Sie lieber aufhören, kündigen Sie vor diesem Zeitpunkt: Dann wird nichts abgebucht, und Ihr Zugang besteht bis dahin.',

  willCharge: ({ plan, amount, due }) => `Die nächste Abbuchung für ${plan} beträgt ${amount}, am ${due}.`,
  addBefore: ({ missing, amount }) =>
    missing === null
      ? `Sorgen Sie dafür, dass bis dahin ${amount} in der Wallet sind. Dann wird wie gewohnt abgebucht.`
      : `Laden Sie die Wallet bis dahin um ${missing} auf. Dann wird wie gewohnt abgebucht.`,
  willFail: () => 'So, wie es jetzt ist, schlägt die Abbuchung fehl, und Ihr Zugang kann von da an enden.',

  failed: ({ plan, amount }) => `Die Abbuchung von ${amount} für ${plan} schlug fehl.`,
  unpaid: ({ plan, amount }) => `Ihre Zahlung von ${amount} für ${plan} fehlt.`,
  addAndPay: ({ missing, amount }) =>
    missing === null
      ? `Sorgen Sie dafür, dass ${amount} in der Wallet sind, und zahlen Sie dann. Sie müssen nichts unterschreiben.`
      : `Laden Sie die Wallet um ${missing} auf, und zahlen Sie dann. Sie müssen nichts unterschreiben.`,
  nextTry: ({ due, tries }) => {
    if (tries === null) return `Der nächste Versuch ist am ${due}.`;
    return tries === 1
      ? `Der nächste Versuch ist am ${due}. Schlägt er fehl, wird das Abonnement gestoppt.`
      : `Der nächste Versuch ist am ${due}. Schlagen alle ${tries} Versuche fehl, die noch bleiben, wird das Abonnement gestoppt.`;
  },
  lastTry: ({ due }) => `Der letzte Versuch ist am ${due}. Schlägt er fehl, wird das Abonnement gestoppt.`,
  payBy: ({ due }) =>
    `Von selbst wird nichts abgebucht: Ohne Zahlung bis zum ${due} ist das Abonnement vorbei.`,
  noNextTry: 'Von selbst folgt kein weiterer Versuch.',
  noTryLeft: ({ due }) =>
    `Es bleibt kein Versuch. Am ${due} ist das Abonnement vorbei, und Sie können dann neu abonnieren. Ihr Zugang ist zu Ende.`,

  stopped: 'Es wird nichts mehr abgebucht, und Ihr Zugang ist zu Ende.',
  takesNobody: ({ plan }) => `${plan} nimmt keine neuen Abonnements an. Es ist nichts zu tun.`,
  comeBack: {
    money: ({ amount }) =>
      `Wenn Sie weitermachen möchten, sorgen Sie dafür, dass ${amount} in Ihrer Wallet sind, und abonnieren Sie neu.`,
    approval: ({ amount }) =>
      `Wenn Sie weitermachen möchten, abonnieren Sie neu, mit ${amount} in der Wallet: Dann erlaubt sie die Abbuchungen wieder.`,
    authority: () =>
      'Wenn Sie weitermachen möchten, schließen Sie dieses Abonnement, womit das Pfand zurückkommt, und abonnieren Sie neu.',
    wallet: () => 'Wenn Sie weitermachen möchten, abonnieren Sie mit einer anderen Wallet neu.',
  },

  cancelled: ({ plan }) => `Ihr Abonnement von ${plan} ist gekündigt, und es wird nichts mehr abgebucht.`,
  lostAtOnce: 'Ihr Zugang ist zu Ende, weil der laufende Zeitraum nicht bezahlt war.',
  resumeBefore: ({ due }) =>
    `Wenn Sie es sich anders überlegen, setzen Sie es vor dem ${due} fort. Dann läuft es weiter wie bisher. Sonst endet es dann, und es ist nichts zu tun.`,
  notResumed:
    'Es lässt sich nicht fortsetzen. Wenn Sie zurückkommen möchten, schließen Sie es, sobald es zu Ende ist, womit das Pfand zurückkommt, und abonnieren Sie neu.',

  ends: {
    cancelled: ({ plan }) =>
      `Ihre Kündigung von ${plan} ist wirksam. Ihr Zugang ist zu Ende, und es wird nichts mehr abgebucht.`,
    plan_ended: ({ plan }) =>
      `Der Tarif ${plan} ist zu Ende und damit auch Ihr Zugang. Es wird nichts mehr abgebucht.`,
    plan_gone: ({ project, plan }) =>
      `Den Tarif ${plan} von ${project} gibt es nicht mehr. Ihr Zugang ist zu Ende, und es wird nichts mehr abgebucht.`,
  },
  closeThenSubscribe:
    'Wenn Sie zurückkommen möchten, schließen Sie das alte Abonnement, womit das Pfand zurückkommt, und abonnieren Sie neu.',
  subscribeAgain: 'Wenn Sie zurückkommen möchten, abonnieren Sie neu.',
  closeForDeposit: 'Sie können das Abonnement jetzt schließen, womit das Pfand zurückkommt.',

  planEnds: ({ project, plan, due }) =>
    `Der Tarif ${plan} von ${project} endet am ${due}, und es folgt keine Abbuchung.`,
  closeAfterEnd:
    'Sie müssen nichts tun. Wenn der Tarif zu Ende ist, können Sie das Abonnement schließen, womit das Pfand zurückkommt.',
};
