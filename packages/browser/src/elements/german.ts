import type { Language } from '../sentences.js';
import { GERMAN_RECEIPT_WORDS } from './receipt-words.js';
import { GERMAN_WALLET_WORDS } from './wallet-words.js';
import type { ElementLanguage, Words } from './words.js';

const OPEN_ANEW = 'Öffnen Sie sie noch einmal von dort, woher Sie kamen.';
const SHOP =
  'Es wurde nichts abgebucht. Der Anbieter muss das beheben: Gehen Sie zurück und sagen Sie es ihm.';
const TOKEN =
  'Es wurde nichts abgebucht. Gehen Sie zurück und fragen Sie den Anbieter nach einem anderen Weg.';
const OTHER_LINK = 'Bitten Sie den, von dem Sie ihn haben, um einen anderen.';
const OTHER_PLAN = 'Gehen Sie zurück und wählen Sie einen anderen.';
const CHANGED_CALL =
  'Etwas zwischen Ihnen und dem Dienst hat die Anfrage verändert. Versuchen Sie es in einem anderen Netz.';
const NOT_TAKEN = 'Solana hat die Transaktion nicht angenommen.';
const ENGLISH_DETAIL = 'Die Einzelheiten stehen darunter auf Englisch.';

const problems: Language['problems'] = {
  invalid_request: `Der Dienst hat das nicht angenommen. ${ENGLISH_DETAIL}`,
  unsupported_version: 'Diese Seite ist veraltet. Laden Sie sie neu.',
  missing_api_key: `Diese Seite wurde ohne ihren Schlüssel geöffnet. ${OPEN_ANEW}`,
  invalid_session: `Diese Seite ist nicht mehr bekannt. ${OPEN_ANEW}`,
  not_logged_in: 'Sie sind nicht angemeldet. Melden Sie sich an und versuchen Sie es erneut.',
  session_expired: `Die Zeit für diese Seite ist abgelaufen. ${OPEN_ANEW}`,
  session_complete: 'Dieses Abonnement ist bereits bezahlt.',
  session_full:
    'Hier wurden zu viele Wallets versucht. Nehmen Sie eine davon noch einmal, oder öffnen Sie die Seite neu von dort, woher Sie kamen.',
  link_not_found: `Dieser Link führt nirgendwohin. ${OTHER_LINK}`,
  link_ended: `Dieser Link wurde beendet. ${OTHER_LINK}`,
  not_found: 'Unter dieser Adresse hat der Dienst nichts. Gehen Sie zurück und versuchen Sie es erneut.',
  not_supported: 'Dieser Dienst hat keine Kasse. Gehen Sie zurück und sagen Sie es dem Anbieter.',
  forbidden: 'Der Dienst erlaubt das nicht. Gehen Sie zurück und sagen Sie es dem Anbieter.',
  request_timeout: 'Die Verbindung ist zu langsam. Versuchen Sie es erneut.',
  payload_too_large: 'Die Wallet hat die Transaktion zu groß gemacht. Verwenden Sie eine andere Wallet.',
  expectation_failed: CHANGED_CALL,
  headers_too_large: CHANGED_CALL,
  rate_limited: 'Das wurde zu oft versucht. Versuchen Sie es in {seconds} Sekunden erneut.',
  internal_error: 'Beim Dienst ist etwas schiefgegangen. Versuchen Sie es erneut.',
  unavailable: 'Der Dienst ist gerade nicht erreichbar. Versuchen Sie es in einigen Sekunden erneut.',
  network_unavailable: 'Solana antwortet gerade nicht. Versuchen Sie es in einigen Sekunden erneut.',

  plan_not_found: `Dieser Tarif wird nicht mehr angeboten. ${OTHER_PLAN}`,
  plan_not_on_chain: `Diesen Tarif gibt es noch nicht zu kaufen. ${OTHER_PLAN}`,
  plan_sunset: `Dieser Tarif nimmt niemanden mehr auf. ${OTHER_PLAN}`,
  plan_ended: `Dieser Tarif ist zu Ende oder endet in wenigen Minuten. ${OTHER_PLAN}`,
  plan_removed: `Diesen Tarif gibt es auf Solana nicht mehr. ${OTHER_PLAN}`,
  plan_replaced: SHOP,
  plan_mismatch: SHOP,
  seat_cap_reached: 'Der Anbieter hat keinen Platz mehr frei. Gehen Sie zurück und sagen Sie es ihm.',
  mint_not_on_chain: `Den Token dieses Tarifs gibt es nicht. ${TOKEN}`,
  mint_not_transferable: `Der Token dieses Tarifs lässt sich nicht übertragen. ${TOKEN}`,
  mint_transfer_hook: `Der Token dieses Tarifs lässt sich nicht abbuchen. ${TOKEN}`,
  mint_paused: 'Der Herausgeber des Tokens hat ihn angehalten, daher kann gerade niemand damit zahlen.',
  receiver_account_missing: `Der Anbieter kann diesen Token noch nicht empfangen. ${SHOP}`,
  receiver_account_frozen: `Das Konto des Anbieters ist eingefroren. ${SHOP}`,
  receiver_account_needs_memo: `Das Konto des Anbieters lehnt diese Zahlung ab. ${SHOP}`,
  receiver_account_confidential_only: `Das Konto des Anbieters lehnt diese Zahlung ab. ${SHOP}`,

  insufficient_balance:
    'In der Wallet ist zu wenig von dem Token. Laden Sie sie auf und versuchen Sie es erneut.',
  insufficient_lamports:
    'In der Wallet ist zu wenig SOL für die Kosten. Laden Sie etwas auf und versuchen Sie es erneut.',
  token_account_guarded:
    'Für das Konto des Tokens ist in der Wallet der CPI Guard an, der Abonnements ablehnt. Schalten Sie ihn in der Wallet aus und prüfen Sie erneut.',
  token_account_reassigned:
    'Das Konto des Tokens gehört einer anderen Wallet. Verwenden Sie eine andere Wallet.',
  token_account_frozen:
    'Der Herausgeber des Tokens hat das Konto der Wallet eingefroren. Verwenden Sie eine andere Wallet.',
  wallet_mismatch: 'Es hat eine andere Wallet unterschrieben als die gewählte. Es wurde nichts abgebucht.',

  already_subscribed: 'Sie haben diesen Tarif bereits abonniert.',
  payment_pending: 'Sie haben diesen Tarif bereits, und eine Zahlung fehlt. Dort können Sie sie leisten.',
  subscription_cancelled:
    'Sie haben ein gekündigtes Abonnement dieses Tarifs. Setzen Sie es fort, oder schließen Sie es, sobald es zu Ende ist, und abonnieren Sie dann neu.',
  subscription_stopped:
    'Ihr Abonnement dieses Tarifs wurde gestoppt und lässt sich nicht mehr bezahlen. Schließen Sie es und abonnieren Sie dann neu.',
  subscription_terms_changed:
    'Der Tarif hat sich geändert, seit Ihr Abonnement gestoppt wurde. Schließen Sie es und abonnieren Sie dann neu.',
  comeback_landed: 'Eine frühere Zahlung dieser Wallet ist angekommen. Sehen Sie bei Ihren Abonnements nach.',
  comeback_in_flight:
    'Eine frühere Zahlung dieser Wallet kann noch ankommen. Versuchen Sie es in {seconds} Sekunden erneut.',
  not_replaceable: 'Das Abonnement, von dem Sie wechseln, läuft nicht mehr. Sehen Sie dort nach.',
  nothing_to_replace:
    'Diese Wallet zahlt nicht für den Tarif, von dem Sie wechseln. Verwenden Sie die, die es tut.',
  change_in_flight:
    'Ein Wechsel Ihres Tarifs kann noch ankommen. Versuchen Sie es in {seconds} Sekunden erneut.',
  comeback_period_rolling:
    'Gerade endet ein Zeitraum und der nächste beginnt. Versuchen Sie es in {seconds} Sekunden erneut.',
  pending_cap_reached: 'Es sind zu viele Vorgänge offen. Versuchen Sie es in {seconds} Sekunden erneut.',
  subscription_not_found: 'Dieses Abonnement ist hier nicht bekannt. Beginnen Sie von vorn.',
  subscription_changed: 'Das Abonnement hat sich soeben geändert. Versuchen Sie es erneut.',

  not_awaiting_signature:
    'Dieser Vorgang ist vorbei: Er hat zu lange gedauert, oder es wurde anderswo bezahlt. Beginnen Sie von vorn.',
  transaction_not_built: 'Die Zahlung muss neu vorbereitet werden. Es wurde nichts abgebucht.',
  not_our_transaction:
    'Die Wallet hat die Transaktion verändert, oder ein anderer Tab hat eine neuere vorbereitet. Es wurde nichts abgebucht. Versuchen Sie es erneut.',
  transaction_expired:
    'Die Transaktion wurde zu spät unterschrieben und ist abgelaufen. Es wurde nichts abgebucht.',
  transaction_refused: 'Solana würde diese Zahlung ablehnen. Es wurde nichts abgebucht. Prüfen Sie erneut.',
  transaction_failed: 'Solana hat die Zahlung abgelehnt. Es wurde nichts abgebucht. Versuchen Sie es erneut.',
  terms_missing: 'Zuerst müssen die Bedingungen unterschrieben werden. Versuchen Sie es erneut.',
  invalid_terms_signature:
    'Die Wallet hat die Bedingungen nicht so unterschrieben, wie sie sind. Es wurde nichts abgebucht. Versuchen Sie es erneut, oder verwenden Sie eine andere Wallet.',
  terms_expired:
    'Die Bedingungen wurden vor zu langer Zeit unterschrieben. Es wurde nichts abgebucht. Unterschreiben Sie sie erneut.',
  terms_used:
    'Diese Bedingungen gehören zu einer anderen Zahlung. Unterschreiben Sie die neuen, um noch einmal zu zahlen.',
  terms_changed: 'Die Bedingungen haben sich geändert. Es wurde nichts abgebucht. Lesen Sie die neuen.',
  nothing_landed:
    'Solana zeigt es noch nicht. Es kann noch ankommen, sehen Sie also gleich noch einmal nach.',

  subscription_mismatch: 'Auf Solana ist etwas anderes angekommen als vereinbart. Beginnen Sie von vorn.',
  subscription_remade: 'Die Zahlung ist angekommen, und das Abonnement wurde seitdem geschlossen.',
  dev_not_running: 'Das Abonnement kam gekündigt oder nicht ganz bezahlt an. Beginnen Sie von vorn.',
  earlier_subscription_running: 'Ihr früheres Abonnement läuft wieder, und die Zahlung gilt dafür.',
  subscription_not_active: 'Dieses Abonnement läuft nicht, also gibt es nichts zu kündigen.',
  subscription_not_cancelled:
    'Dieses Abonnement ist nicht gekündigt und lässt sich daher weder fortsetzen noch schließen.',
  subscription_ended:
    'Die bezahlte Zeit ist vorbei, daher lässt es sich nicht fortsetzen. Schließen Sie es und abonnieren Sie dann neu.',
  close_too_early: 'Das Abonnement ist noch nicht zu Ende. Schließen Sie es danach.',
  subscription_not_on_chain: 'Das Abonnement ist auf Solana schon weg. Das zeigt sich innerhalb eines Tages.',
  nothing_to_confirm: 'Es wurde nichts gesendet. Versuchen Sie es erneut.',
  cancellation_not_landed: 'Solana zeigt die Kündigung noch nicht. Sehen Sie gleich noch einmal nach.',
  resume_not_landed: 'Solana zeigt die Fortsetzung noch nicht. Sehen Sie gleich noch einmal nach.',
  close_not_landed: 'Solana zeigt es noch nicht als geschlossen. Sehen Sie gleich noch einmal nach.',
  cancelled_subscription_remade: 'Das Abonnement wurde geschlossen und neu angelegt. Es bleibt gekündigt.',
  resume_unverified: 'Es lässt sich nicht sagen, ob dies das gekündigte Abonnement ist. Es bleibt gekündigt.',

  subscription_not_late: 'Es fehlt keine Zahlung.',
  subscription_paused: 'Der Anbieter hat dieses Abonnement angehalten. Solange wird nichts abgebucht.',
  retry_cannot_succeed:
    'Die Wallet erlaubt diese Abbuchung nicht mehr. Abonnieren Sie neu, sobald das Abonnement gestoppt wurde.',
  retries_spent: 'Alle Versuche für diese Zahlung sind aufgebraucht.',
  retry_deadline_passed: 'Für die Zahlung dieses Zeitraums ist es zu spät.',
  retry_too_soon: 'Der letzte Versuch ist gerade erst her. Versuchen Sie es in {seconds} Sekunden erneut.',
  pull_running: 'Gerade läuft eine Zahlung. Sehen Sie in {seconds} Sekunden noch einmal nach.',

  no_answer: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  submit_unanswered:
    'Die unterschriebene Zahlung wurde gesendet, und es kam keine Antwort. Sie kann angekommen sein. Fahren Sie mit derselben Zahlung fort: Es wird nie zweimal abgebucht.',
  invalid_email: 'Schreiben Sie die E-Mail-Adresse wie name@example.com, oder lassen Sie das Feld leer.',
  unknown_code: `Der Dienst hat das abgelehnt. Versuchen Sie es erneut. ${ENGLISH_DETAIL}`,
  page_failed: 'Auf dieser Seite ist etwas schiefgegangen. Versuchen Sie es erneut.',
  other_tab:
    'Das ist in einem anderen Tab Ihres Browsers offen. Beenden Sie es dort, oder schließen Sie jenen Tab.',
  wallet_only_sends: 'Sie sendet, was sie unterschreibt, daher fehlt dann die Unterschrift des Dienstes.',
  wallet_signs_no_messages: 'Sie kann keinen Text unterschreiben, also auch nicht die Bedingungen.',
  wallet_signs_no_transactions: 'Sie kann keine Transaktionen von Solana unterschreiben.',
  wallet_signs_nothing: 'Sie verbindet sich nicht mit Seiten.',
  wallet_refused: '{wallet} hat es nicht erlaubt. Es wurde nichts abgebucht. Versuchen Sie es erneut.',
  wallet_failed:
    '{wallet} konnte es nicht. Es wurde nichts abgebucht. Versuchen Sie es erneut, oder verwenden Sie eine andere Wallet.',
  wallet_app_missing:
    'Es wurde keine App einer Wallet gefunden. Installieren Sie eine, oder verwenden Sie eine andere Wallet.',
  wallet_not_connected:
    '{wallet} hat sich nicht verbunden. Entsperren Sie sie und versuchen Sie es noch einmal.',
  wallet_locked: '{wallet} gab kein Konto. Entsperren Sie sie und verbinden Sie sie erneut.',
  wallet_no_account:
    '{wallet} hat kein Konto im Netz {network}. Wechseln Sie ihr Netz und verbinden Sie sie erneut.',
  wallet_other_account:
    '{wallet} gab ein anderes Konto als das, welches dieses Abonnement bezahlt, {account}. Wählen Sie jenes in der Wallet.',
  account_changed: 'Die Wallet hat das Konto gewechselt. Sehen Sie nach, ob es das richtige ist.',
  charge_missed: 'Die Zahlung ging nicht durch. Laden Sie die Wallet auf und versuchen Sie es erneut.',
  retry_running:
    'Die Zahlung wurde angestoßen und ist noch nicht erledigt. Sehen Sie in einer Minute noch einmal nach.',
};

const words: Words = {
  testNetwork: 'Testnetz',
  localNetwork: 'einem lokalen Solana',
  paidBy: (service, network) => `${service}, auf ${network}`,
  back: 'Zurück',

  opening: 'Die Kasse wird geöffnet…',
  subscribeTo: (plan) => `${plan} abonnieren`,
  changeTo: (plan) => `Zu ${plan} wechseln`,
  changePlan: 'Den Tarif wechseln',
  endsNow: 'Endet jetzt',
  endsPaidUntil: (plan, day) => `${plan}, bezahlt bis ${day}: Davon wird nichts erstattet`,
  preparing: 'Ihr Abonnement wird vorbereitet…',
  plans: 'Tarif wählen',
  otherPlans: 'Andere Tarife',
  mine: 'Haben Sie',
  chooseWallet: 'Wählen Sie Ihre Wallet',
  noWallet: 'Keine Wallet gefunden',
  noWalletDesk:
    'Dafür brauchen Sie eine Wallet für Solana. Fügen Sie diesem Browser eine hinzu und kommen Sie zurück, oder verwenden Sie Ihr Telefon.',
  noWalletPhone: 'Dafür brauchen Sie eine Wallet für Solana. Öffnen Sie diese Seite in der App der Ihren.',
  getWallet: (wallet) => `${wallet} installieren`,
  openIn: (wallet) => `In ${wallet} öffnen`,
  onPhone: 'Ihr Telefon verwenden',
  scan: 'Scannen Sie das mit Ihrem Telefon, um diese Seite dort zu öffnen.',
  qrName: 'Ein QR-Code mit der Adresse dieser Seite',
  copy: 'Adresse dieser Seite kopieren',
  copied: 'Kopiert. Behalten Sie sie für sich: Wer sie hat, sieht diese Seite.',
  inApps: 'Diese Seite in der App einer Wallet öffnen',
  noneYet: 'Noch keine App einer Wallet?',
  connectTo: (wallet) => `Verbindung mit ${wallet}`,
  approveConnection: (wallet) =>
    `Erlauben Sie die Verbindung in ${wallet}. Sie zeigt dieser Seite Ihre Adresse und sonst nichts.`,
  review: 'Prüfen und zahlen',
  wallet: 'Wallet',
  account: 'Konto',
  change: 'Ändern',
  email: 'E-Mail (optional)',
  emailHint: 'Für Nachrichten zu diesem Abonnement.',
  terms: 'Die Bedingungen, die Ihre Wallet unterschreibt',
  termsLanguage: 'Sie sind auf Englisch, so wie Ihre Wallet sie zeigt.',
  now: 'Sie zahlen jetzt',
  fee: (sol) => `Die Gebühr von Solana ist ${sol}.`,
  deposit: (sol) => `${sol} sind ein Pfand, das beim Schließen des Abonnements zurückkommt.`,
  then: 'Danach',
  untilCancelled: (price) => `${price}, bis Sie kündigen`,
  asksTwice: 'Ihre Wallet fragt zweimal: erst nach den Bedingungen, dann nach der Zahlung.',
  pay: (price) => `Abonnieren und ${price} zahlen`,
  payChange: (price) => `Wechseln und ${price} zahlen`,
  changed: 'Das hat sich geändert',
  before: (value) => `vorher: ${value}`,
  nothing: 'nichts',
  steps: ['Zustimmen', 'Zahlen', 'Bestätigen'],
  progress: 'Fortschritt',
  preparingPayment: 'Ihre Zahlung wird vorbereitet…',
  signTerms: (wallet) => `Unterschreiben Sie die Bedingungen in ${wallet}`,
  signTermsHint: 'Sie sagen ausführlich, was Sie eben gelesen haben. Die Unterschrift bewegt kein Geld.',
  signPayment: (wallet) => `Erlauben Sie die Zahlung in ${wallet}`,
  signPaymentHint:
    'Damit bezahlen Sie den ersten Zeitraum, und Ihr Abonnement beginnt. Danach fragt Ihre Wallet nichts mehr.',
  notSigned: 'Noch nicht unterschrieben',
  submitting: 'Ihre Zahlung ist unterwegs',
  submittingHint:
    'Solana bestätigt sie in wenigen Sekunden. Sie können diese Seite schließen: Die Zahlung läuft weiter.',
  complete: (plan) => (plan === null ? 'Ihr Abonnement läuft' : `Sie haben ${plan} abonniert`),
  continueTo: (project) => `Weiter zu ${project}`,
  goingTo: (project) => `Es geht zurück zu ${project}…`,
  failed: {
    again: 'Das hat nicht geklappt',
    check_again: 'Eines fehlt noch',
    wait: 'Einen Moment, bitte',
    choose_wallet: 'Diese Wallet kann nicht zahlen',
    log_in: 'Melden Sie sich an, um fortzufahren',
    open_portal: 'Hier ist nichts zu bezahlen',
    go_back: 'Nicht verfügbar',
    none: 'Hier ist nichts zu tun',
  },
  missing: (amount, needed) => `Es fehlen ${amount}: In der Wallet müssen ${needed} sein.`,
  sendTo: (network) => `Die Adresse der Wallet auf ${network}`,
  copyAddress: 'Adresse kopieren',
  addressCopied: 'Kopiert.',
  details: 'Einzelheiten',

  subscriptions: 'Ihre Abonnements',
  looking: 'Ihre Abonnements werden gesucht…',
  none: 'Sie haben hier noch kein Abonnement.',
  status: {
    pending: 'Noch nicht bezahlt',
    active: 'Aktiv',
    unpaid: 'Zahlung fehlt',
    cancelled: 'Gekündigt',
    stopped: 'Gestoppt',
    ended: 'Beendet',
    failed: 'Fehlgeschlagen',
    expired: 'Abgelaufen',
    superseded: 'Ersetzt',
  },
  paused: 'Der Anbieter hat dieses Abonnement angehalten. Solange wird nichts abgebucht.',
  ended: 'Dieses Abonnement ist zu Ende. Es wird nichts mehr abgebucht.',
  planChanged: 'Sie haben den Tarif gewechselt. Für diesen wird nichts mehr abgebucht.',
  closeFirst: 'Schließen Sie es, bevor Sie mit dieser Wallet neu abonnieren.',
  late: {
    insufficient_balance:
      'Die letzte Zahlung schlug fehl: In der Wallet war zu wenig. Laden Sie sie auf und zahlen Sie dann.',
    approval_revoked:
      'Die letzte Zahlung schlug fehl: Die Wallet nahm ihre Erlaubnis zurück. Abonnieren Sie neu, sobald das Abonnement gestoppt wurde.',
    authority_closed:
      'Die letzte Zahlung schlug fehl: Die Wallet erlaubt diese Abbuchung nicht mehr. Schließen Sie das Abonnement, sobald es gestoppt wurde, und abonnieren Sie dann neu.',
  },
  stopped: {
    out_of_retries:
      'Jeder Versuch, den letzten Zeitraum abzubuchen, schlug fehl. Es wird nichts mehr abgebucht.',
    retry_deadline_passed:
      'Der letzte Zeitraum wurde nicht rechtzeitig bezahlt. Es wird nichts mehr abgebucht.',
    authority_closed: 'Die Wallet erlaubt die Abbuchungen nicht mehr. Es wird nichts mehr abgebucht.',
  },
  blockedCharges: 'Der Anbieter kann gerade keine Zahlungen empfangen. Sie müssen nichts tun.',
  nothingCharged: 'Es wird nichts mehr abgebucht.',
  nextCharge: 'Nächste Zahlung',
  nextRetry: 'Nächster Versuch',
  paidUntil: 'Bezahlt bis',
  accessUntil: 'Zugang bis',
  closableFrom: 'Pfand zurück ab',
  paysWith: 'Bezahlt aus',
  topUp: 'Wallet aufladen',
  actions: {
    cancel: 'Kündigen',
    resume: 'Fortsetzen',
    close: 'Schließen und Pfand zurückholen',
    retry: 'Jetzt zahlen',
    subscribe: 'Neu abonnieren',
  },
  payNow: (amount) => `Jetzt ${amount} zahlen`,
  actionOf: (action, plan) => `${action}: ${plan}`,
  cancelling: (plan) => `${plan} kündigen?`,
  keptUntil: 'Was Sie bezahlt haben, behalten Sie bis zum',
  cancel: 'Abonnement kündigen',
  keep: 'Behalten',
  payments: 'Zahlungen',
  paymentsSum: (count, amount) =>
    count === 0
      ? 'Noch keine Zahlung.'
      : `${count} ${count === 1 ? 'Zahlung' : 'Zahlungen'}${amount === null ? '' : `, zusammen ${amount}`}.`,
  readingPayments: 'Die Zahlungen werden gelesen…',
  older: 'Ältere zeigen',
  receipt: 'Beleg',
  onSolana: 'Im Explorer von Solana',
  receiptOf: (date) => `Beleg vom ${date}, auf Solana`,
  showReceiptOf: (date) => `Beleg vom ${date}`,
  receiptPage: GERMAN_RECEIPT_WORDS,
  outcomes: {
    paid: 'Bezahlt',
    skipped: 'Nicht abgebucht',
    rejected: 'Fehlgeschlagen',
    blocked: 'Zurückgehalten',
  },
  reasons: {
    insufficient_balance: 'In der Wallet war zu wenig von dem Token.',
    token_account_frozen: 'Der Herausgeber des Tokens hat das Konto eingefroren.',
    token_account_reassigned: 'Das Konto des Tokens gehört einer anderen Wallet.',
    authority_closed: 'Die Wallet erlaubt diese Abbuchung nicht mehr.',
    program_1: 'In der Wallet war zu wenig von dem Token, oder es war zu wenig erlaubt.',
    program_4: 'Die Wallet nahm ihre Erlaubnis zurück.',
    program_103: 'Die Wallet erlaubt diese Abbuchung nicht mehr.',
    program_136: 'Die Wallet erlaubt diese Abbuchung nicht mehr.',
    cancelled: 'Es war gekündigt.',
    closed_elsewhere: 'Es war geschlossen.',
    plan_ended: 'Der Tarif war zu Ende.',
    plan_removed: 'Den Tarif gibt es nicht mehr.',
    period_already_paid: 'Der Zeitraum war schon bezahlt.',
    mint_paused: 'Der Herausgeber hat den Token angehalten.',
  },
  otherReason: 'Es konnte nicht abgebucht werden.',
  connectPayer: (wallet) =>
    `Wählen Sie die Wallet, die dafür zahlt, ${wallet}. Sie unterschreibt die Änderung.`,
  acting: {
    connecting: 'Erlauben Sie die Verbindung in Ihrer Wallet.',
    preparing: 'Es wird vorbereitet…',
    signing: 'Erlauben Sie es in Ihrer Wallet.',
    sending: 'Es wird an Solana gesendet…',
    confirming: 'Solana bestätigt es in wenigen Sekunden, selten erst nach einer Minute.',
  },
  refresh: 'Neu laden',
  ofWallet: GERMAN_WALLET_WORDS,
};

/** The elements in German. */
export const GERMAN: ElementLanguage = {
  locale: 'de',
  problems,
  steps: {
    again: 'Erneut versuchen',
    check_again: 'Erneut prüfen',
    wait: 'Erneut versuchen',
    choose_wallet: 'Andere Wallet verwenden',
    log_in: 'Anmelden',
    open_portal: 'Meine Abonnements zeigen',
    go_back: 'Zurück',
    none: 'Schließen',
  },
  done: {
    cancel: 'Gekündigt. Solana hat es bestätigt, und es wird nichts mehr abgebucht.',
    resume: 'Fortgesetzt. Es läuft weiter wie vor der Kündigung.',
    close: 'Geschlossen. Das Pfand ist zurück.',
    retry: 'Bezahlt. Das Abonnement läuft weiter.',
  },
  changes: {
    wallet_refused: '{wallet} hat es nicht erlaubt.',
    wallet_failed: '{wallet} konnte es nicht.',
    not_our_transaction: 'Die Wallet hat die Transaktion verändert.',
    transaction_refused: NOT_TAKEN,
    transaction_failed: NOT_TAKEN,
    transaction_expired: NOT_TAKEN,
    subscription_cancelled: 'Auf Solana ist es bereits gekündigt. Das zeigt sich hier binnen eines Tages.',
    subscription_not_cancelled: 'Auf Solana ist es nicht gekündigt. Das zeigt sich hier binnen eines Tages.',
  },
  kept: {
    cancel: 'Nichts wurde geändert: Das Abonnement ist nicht gekündigt.',
    resume: 'Nichts wurde geändert: Das Abonnement bleibt gekündigt.',
    close: 'Nichts wurde geändert: Das Abonnement ist nicht geschlossen.',
  },
  mayLand:
    'Solana zeigt es noch nicht, und es kann noch wirksam werden. Sehen Sie in einer Minute nach, bevor Sie es erneut versuchen.',
  delay: 'Der Dienst antwortet noch nicht. Diese Seite fragt ihn noch einmal.',
  backTo: (project) => `Zurück zu ${project}`,
  networks: { devnet: 'Solana Devnet', 'mainnet-beta': 'Solana Mainnet' },
  tokens: 'Token',
  about: (dollars) => `heute etwa ${dollars}`,
  every: (count, unit) => {
    if (count === 1) return unit === 'day' ? 'jeden Tag' : 'jede Stunde';
    return `alle ${count} ${unit === 'day' ? 'Tage' : 'Stunden'}`;
  },
  words,
};
