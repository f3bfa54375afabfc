// The page of a checkout: `/checkout#<secret>`, or `/checkout/<id of a plan link>`.

import '@subrail/browser/elements';
import type { SubrailCheckout } from '@subrail/browser/elements';
import { SERVICE, secretOfPage, titleBy } from './place.js';

const checkout = document.querySelector<SubrailCheckout>('subrail-checkout');
const [link = null] = /lnk_[A-Za-z0-9]+$/.exec(location.pathname) ?? [];

if (checkout !== null) {
  const secret = secretOfPage();
  titleBy(checkout);
  checkout.addEventListener('subrail-state', () => {
    const session = checkout.state?.session;
    // The secret of a named customer shows what he has. Of anybody else, his wallet does.
    checkout.portal =
      session?.customer.known === true && secret !== '' ? `${SERVICE}portal#${secret}` : `${SERVICE}cancel`;
  });
  Object.assign(checkout, { level: 1, service: SERVICE, follow: true });
  if (link === null) checkout.session = secret;
  else checkout.link = link;
}
