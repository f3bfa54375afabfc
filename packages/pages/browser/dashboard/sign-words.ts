/** The texts of what the owner of a plan signs. */
export const signWords = {
  owner: (owner: string) => `The wallet that owns the plan signs this: ${owner}`,
  noEnd: 'No end',
  smallest: (amount: string) => `${amount} in the smallest unit of the token`,
  titles: {
    publish: 'Publish the plan',
    sunset: 'Take nobody new',
    shorten: 'Set an end',
    pullers: 'Change who may charge',
    delete: 'Delete the plan from Solana',
  },
  /** The parts of what is signed that nobody can undo. */
  forGood: {
    publish:
      'Name, price, period, token and receiver stay as they are for good. An end can be set later and brought forward, and is never put off. The wallet pays a small deposit in SOL, which comes back when the plan is deleted.',
    sunset: 'Nobody new can ever subscribe to this plan again, and its end stays as it is from then on.',
    shorten: 'An end can be brought forward, and is never removed or put off.',
    pullers: 'It counts at once, for every subscription to the plan. Other wallets can be named later.',
    delete: 'The plan is gone from Solana for good, and its deposit goes back to the owner.',
  },
  /** The act, on the button that goes on with a wallet. */
  signWith: { publish: 'Publish', sunset: 'Sunset', shorten: 'End', pullers: 'Change', delete: 'Delete' },
  withWallet: (act: string, wallet: string) => `${act} with ${wallet}`,
  done: {
    publish: 'The plan is published. Make a link, and whoever has it can subscribe.',
    sunset: 'The plan takes nobody new.',
    shorten: 'The end of the plan is set.',
    pullers: 'Who may charge is changed.',
    delete: 'The plan is deleted. It shows as closed once Solana has settled it, within minutes.',
  },
  now: 'At once',
  takesNobody: 'Takes no new customers',
  mayCharge: 'May charge from now on',
  noPullers: 'The owner alone',
  looking: 'Looking for wallets in this browser.',
  noWallet:
    'This browser has no wallet. Open the dashboard in the browser that has the wallet of the owner, or sign elsewhere.',
  noScript: 'The part of the page that finds wallets did not load. Try again, or sign elsewhere.',
  connecting: (wallet: string) => `${wallet} asks whether this page may see its accounts. Answer there.`,
  preparing: 'The transaction is prepared.',
  signing: (wallet: string) => `${wallet} asks you to sign. Answer there.`,
  sending: 'Signed. It is sent, and Solana is asked whether it has arrived.',
  otherAccount: (wallet: string, given: string, owner: string) =>
    `${wallet} gave the account ${given}, which does not own this plan. Choose the account ${owner} in the wallet, then press the button again.`,
  open: 'Solana does not show it yet. It may still arrive, so nothing is signed again until that is known.',
  unknown: 'Whether it arrived is not known yet, so nothing is signed again until it is.',
  look: 'Look again',
  over: 'It has not arrived in time, and can no longer arrive: nothing was changed.',
  signAgain: 'Sign again',
  elsewhere: 'Sign elsewhere',
  elsewhereHow: (owner: string) =>
    `This is the transaction in base64. ${owner} signs and sends it within a minute.`,
  isSent: 'It is sent',
  keptTitle: 'A signature is not settled',
  kept: (title: string) =>
    `"${title}" was signed in this browser, and is not confirmed. Go on: what has arrived is confirmed, and nothing is signed twice.`,
  goOn: 'Go on',
};
