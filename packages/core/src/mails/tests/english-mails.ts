import type { MailKind } from '../../contract/enums.js';

/** The samples in English, without what is below each of them. */
export const ENGLISH_MAILS: Readonly<Record<MailKind, string>> = {
  receipt: `Subject: Receipt from Night Library for Reader: 9.99 USDC

Your payment has arrived

Thank you: your payment of 9.99 USDC to Night Library for Reader has
arrived.

The next charge follows on 1 February 2027, 14:05 UTC, and there is nothing
to do until then.

Receipt: NIGHT-000042
Plan: Reader, every 30 days
Period: 2 January 2027, 14:05 to 1 February 2027, 14:05 UTC
Amount: 9.99 USDC
Wallet: 7xKX…gAsU
Transaction: 5VER…kQUW
https://explorer.solana.com/tx/5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW
Next charge: 1 February 2027, 14:05 UTC

See your receipt:
#
`,

  renewal_ahead: `Subject: Reader at Night Library renews on 1 February 2027, 14:05 UTC

Your subscription renews soon

Your subscription to Reader renews on 1 February 2027, 14:05 UTC. The charge
of 9.99 USDC is made from your wallet 7xKX…gAsU.

There is nothing to do while the wallet holds that much. If you would rather
stop, cancel before that date: nothing is charged then, and your access
lasts until the date.

See your subscription:
#
`,

  cannot_pay: `Subject: Your wallet cannot pay for Reader at Night Library yet

Your wallet cannot pay yet

The next charge for Reader is 9.99 USDC on 1 February 2027, 14:05 UTC. Your
wallet 7xKX…gAsU lacks 2.49 USDC of it.

Add 2.49 USDC to the wallet before then, and the charge is made as usual.

As things stand, the charge fails, and your access can end from that date
on.

See your subscription:
#
`,

  payment_failed: `Subject: Your payment for Reader at Night Library failed

Your payment did not go through

The charge of 9.99 USDC for Reader failed. Your wallet 7xKX…gAsU lacks 2.49
USDC of it.

Add 2.49 USDC to the wallet, then pay now. There is nothing to sign.

The next try is on 2 February 2027, 14:05 UTC. If all of the 3 tries that
are left fail, the subscription stops. Your access lasts until 4 February
2027, 14:05 UTC.

Pay now:
#
`,

  last_try: `Subject: Without a payment, Reader at Night Library stops on 4 February 2027, 14:05 UTC

Your subscription is about to stop

The charge of 9.99 USDC for Reader failed. Your wallet 7xKX…gAsU lacks 2.49
USDC of it.

Add 2.49 USDC to the wallet, then pay now. There is nothing to sign.

The last try is on 4 February 2027, 14:05 UTC. If it fails, the subscription
stops. Your access lasts until 4 February 2027, 14:05 UTC.

Pay now:
#
`,

  stopped: `Subject: Your subscription to Reader at Night Library has stopped

Your subscription has stopped

The charge of 9.99 USDC for Reader failed. Your wallet 7xKX…gAsU lacks 2.49
USDC of it. Nothing more is charged, and your access has ended.

To go on, see that your wallet holds 9.99 USDC, and subscribe again.
Otherwise there is nothing to do.

Subscribe again:
#
`,

  cancelled: `Subject: Your subscription to Reader at Night Library is cancelled

Your subscription is cancelled

Your subscription to Reader is cancelled, and nothing more is charged. Your
access lasts until 1 February 2027, 14:05 UTC.

If you change your mind, resume it before 1 February 2027, 14:05 UTC, and it
goes on as before. Otherwise it ends then, and there is nothing to do.

Resume:
#
`,

  ended: `Subject: Your subscription to Reader at Night Library has ended

Your subscription has ended

Your cancellation of Reader has taken effect. Your access has ended, and
nothing more is charged.

To come back, close the old subscription, which returns its deposit, and
subscribe again. Otherwise there is nothing to do.

Subscribe again:
#
`,

  plan_ends: `Subject: Reader at Night Library ends on 1 February 2027, 14:05 UTC

Your plan ends soon

The plan Reader of Night Library ends on 1 February 2027, 14:05 UTC, and no
charge follows. Your access lasts until 1 February 2027, 14:05 UTC.

There is nothing to do. Once the plan has ended, you can close the
subscription, which returns its deposit.

See your subscription:
#
`,
};

/** What is below each of them. */
export const ENGLISH_FOOTER = `
Night Library

You get this mail because Night Library has this address for your
subscription to Reader.

Its link opens your subscription for whoever has it, so keep this mail to
yourself.
`;
