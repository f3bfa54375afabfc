import type { Language } from '../sentences.js';

const OPEN_ANEW = 'Öffnen Sie sie noch einmal von dort, woher Sie kamen.';
const SHOP =
  'Es wurde nichts abgebucht. Der Anbieter muss das beheben: Gehen Sie zurück und sagen Sie es ihm.';
const TOKEN =
  'Es wurde nichts abgebucht. Gehen Sie zurück und fragen Sie den Anbieter nach einem anderen Weg.';
const OTHER_LINK = 'Bitten Sie den, von dem Sie ihn haben, um einen anderen.';
const OTHER_PLAN = 'Gehen Sie zurück und wählen Sie einen anderen.';
const CHANGED_CALL =
  'Etwas zwischen Ihnen und dem Dienst hat die Anfrage verändert. Versuchen Sie es in einem anderen Netz.';
const ENGLISH_DETAIL = 'Die Einzelheiten stehen darunter auf Englisch.';

/** The sentence for each problem, in German. */
export const GERMAN_PROBLEMS: Language['problems'] = {
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
  not_replaceable:
    'Das Abonnement, von dem Sie wechseln, ist gekündigt oder zu Ende. Bei Ihren Abonnements sehen Sie, was Sie damit tun können.',
  nothing_to_replace:
    'Diese Wallet zahlt nicht für den Tarif, von dem Sie wechseln. Verwenden Sie eine, die es tut, oder bitten Sie den Anbieter um einen anderen Link.',
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
