// The page of a portal, `/portal#<secret>`, with `/<id of a payment>` behind it for its receipt, or
// `/portal#<id of a plan link>`, and that of a portal without a session, `/cancel`.

import '@subrail/browser/elements';
import type { Problem } from '@subrail/browser';
import type { SubrailPortal } from '@subrail/browser/elements';
import { SERVICE, secretOfPage, titleBy } from './place.js';

const portal = document.querySelector<SubrailPortal>('subrail-portal');
const { chain } = document.body.dataset;

/** The page on which a wallet alone shows what it has: also once the time of a portal is over. */
const CANCEL = `${SERVICE}cancel`;

/** The problems of a tab that has no session. */
const KEYLESS = ['missing_api_key', 'invalid_session'];

if (portal !== null) {
  const isOfWallet = document.querySelector('.otherwise') !== null;
  const [secret = '', receipt = null] = secretOfPage().split('/');
  const [link = null] = /^lnk_[A-Za-z0-9]+$/.exec(secret) ?? [];
  const common = { level: 1, service: SERVICE, chain };
  const toCancel = () => location.replace(CANCEL);
  titleBy(portal);
  if (isOfWallet) Object.assign(portal, common);
  // Without a session a wallet sees what the chain shows of it.
  else if (secret === '') toCancel();
  // The secret of a link's session stays in the tab that opened it. In any other a wallet shows what it has.
  else if (link !== null) {
    portal.addEventListener(
      'subrail-problem',
      ({ detail }: CustomEventInit<{ readonly problem: Problem }>) => {
        if (KEYLESS.includes(detail?.problem.code ?? '')) toCancel();
      },
    );
    Object.assign(portal, { ...common, link, portal: CANCEL });
  }
  // Of the network alone nobody knows whether an explorer shows it.
  else Object.assign(portal, { ...common, session: secret, receipt, portal: CANCEL });
}
