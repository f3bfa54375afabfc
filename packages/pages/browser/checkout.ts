// The page of a checkout: `/checkout#<secret>`, or `/checkout/<id of a plan link>`.

import '@subrail/browser/elements';
import type { SubrailCheckout } from '@subrail/browser/elements';
import { SERVICE, secretOfPage, titleBy } from './place.js';

const checkout = document.querySelector<SubrailCheckout>('subrail-checkout');
// A mistyped link too, of which the service says that it leads nowhere.
const [link = null] = /lnk_[\w-]*$/.exec(location.pathname) ?? [];

if (checkout !== null) {
  const secret = secretOfPage();
  titleBy(checkout);
  checkout.addEventListener('subrail-state', () => {
    const { state } = checkout;
    const session = state?.session;
    // A session shows what its customer has, or what it paid for itself. Of anything else a wallet shows it.
    const has =
      state?.name === 'complete' || session?.customer.known === true || session?.subscriptions.length !== 0;
    checkout.portal = session != null && has ? `${SERVICE}portal#${link ?? secret}` : `${SERVICE}cancel`;
  });
  Object.assign(checkout, {
    level: 1,
    service: SERVICE,
    chain: document.body.dataset['chain'],
    follow: true,
  });
  if (link === null) checkout.session = secret;
  else checkout.link = link;
}
