/** The words of a receipt. */
export interface ReceiptWords {
  readonly title: (number: string) => string;
  readonly print: string;
  readonly taxId: string;
  readonly paidOn: string;
  readonly customer: string;
  readonly customerId: string;
  readonly plan: string;
  readonly period: string;
  readonly span: (from: string, to: string) => string;
  readonly amount: string;
  readonly fee: string;
  readonly dollars: string;
  readonly token: string;
  readonly transaction: string;
  readonly refund: string;
}

export const ENGLISH_RECEIPT_WORDS: ReceiptWords = {
  title: (number) => `Receipt ${number}`,
  print: 'Print or save as PDF',
  taxId: 'Tax ID',
  paidOn: 'Paid on',
  customer: 'Customer',
  customerId: 'Customer number',
  plan: 'Plan',
  period: 'Period',
  span: (from, to) => `${from} to ${to}`,
  amount: 'Amount',
  fee: 'Fee of the token in it',
  dollars: 'Worth when it was paid',
  token: 'Token',
  transaction: 'Transaction',
  refund: 'Given back',
};

export const GERMAN_RECEIPT_WORDS: ReceiptWords = {
  title: (number) => `Beleg ${number}`,
  print: 'Drucken oder als PDF sichern',
  taxId: 'Steuernummer',
  paidOn: 'Bezahlt am',
  customer: 'Kunde',
  customerId: 'Kundennummer',
  plan: 'Tarif',
  period: 'Zeitraum',
  span: (from, to) => `${from} bis ${to}`,
  amount: 'Betrag',
  fee: 'Darin Gebühr des Tokens',
  dollars: 'Wert bei der Zahlung',
  token: 'Token',
  transaction: 'Transaktion',
  refund: 'Zurückgegeben',
};
