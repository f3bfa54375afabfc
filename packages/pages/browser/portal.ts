// The page of a portal, `/portal#<secret>`, and that of a portal without a session, `/cancel`.

import '@subrail/browser/elements';
import type { SubrailPortal } from '@subrail/browser/elements';
import { SERVICE, secretOfPage, titleBy } from './place.js';

const portal = document.querySelector<SubrailPortal>('subrail-portal');
const { chain } = document.body.dataset;

if (portal !== null) {
  const isOfWallet = document.querySelector('.otherwise') !== null;
  const secret = secretOfPage();
  titleBy(portal);
  if (isOfWallet) Object.assign(portal, { level: 1, service: SERVICE, chain });
  // Without a session a wallet sees what the chain shows of it.
  else if (secret === '') location.replace(`${SERVICE}cancel`);
  // Of the network alone nobody knows whether an explorer shows it.
  else Object.assign(portal, { level: 1, service: SERVICE, chain, session: secret });
}
