/** The words of a portal without a session. */
export interface WalletWords {
  readonly lead: string;
  readonly found: (count: number, hasMore: boolean) => string;
  readonly unpaid: string;
  readonly stopped: string;
  readonly notPlanned: string;
  readonly closable: string;
  readonly closableLater: string;
  readonly ends: string;
  readonly planEnds: string;
  readonly addresses: string;
  readonly since: string;
  readonly paidTo: string;
  readonly token: string;
  readonly plan: string;
  readonly account: string;
}

/** The same in English. */
export const ENGLISH_WALLET_WORDS: WalletWords = {
  lead: 'Connect the wallet with which you subscribed. You see what it pays for here, and can cancel, resume or close it. Nothing happens without your wallet’s approval.',
  found(count, hasMore) {
    if (count === 0) return 'This wallet has no subscription here. If you expected one, try another account.';
    if (hasMore) return `The newest ${count} subscriptions.`;
    return count === 1 ? 'One subscription.' : `${count} subscriptions.`;
  },
  unpaid: 'The last payment did not go through. It may be tried again until you cancel.',
  stopped: 'Payments did not go through, and nothing is charged any more.',
  notPlanned: 'No charge is planned at the moment.',
  closable: 'You can close it and get the deposit back.',
  closableLater: 'Once it is over, you can close it and get the deposit back.',
  ends: 'Ends',
  planEnds: 'The plan ends',
  addresses: 'Addresses',
  since: 'Since',
  paidTo: 'Paid to',
  token: 'Token',
  plan: 'Plan on Solana',
  account: 'Subscription on Solana',
};

/** The same in German. */
export const GERMAN_WALLET_WORDS: WalletWords = {
  lead: 'Verbinden Sie die Wallet, mit der Sie abonniert haben. Sie sehen, wofür sie hier zahlt, und können es kündigen, fortsetzen oder schließen. Nichts geschieht ohne die Zustimmung Ihrer Wallet.',
  found(count, hasMore) {
    if (count === 0)
      return 'Diese Wallet hat hier kein Abonnement. Wenn Sie eines erwarten, versuchen Sie es mit einem anderen Konto.';
    if (hasMore) return `Die neuesten ${count} Abonnements.`;
    return count === 1 ? 'Ein Abonnement.' : `${count} Abonnements.`;
  },
  unpaid: 'Die letzte Zahlung kam nicht zustande. Sie kann wieder versucht werden, bis Sie kündigen.',
  stopped: 'Zahlungen kamen nicht zustande, und es wird nichts mehr abgebucht.',
  notPlanned: 'Zurzeit ist keine Abbuchung vorgesehen.',
  closable: 'Sie können es schließen und das Pfand zurückbekommen.',
  closableLater: 'Nach dem Ende können Sie es schließen und das Pfand zurückbekommen.',
  ends: 'Endet',
  planEnds: 'Der Tarif endet',
  addresses: 'Adressen',
  since: 'Seit',
  paidTo: 'Bezahlt an',
  token: 'Token',
  plan: 'Tarif auf Solana',
  account: 'Abonnement auf Solana',
};
