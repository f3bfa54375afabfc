// The page of a portal: `/portal#<secret>`.

import '@subrail/browser/elements';
import type { SubrailPortal } from '@subrail/browser/elements';
import { SERVICE, secretOfPage } from './place.js';

const portal = document.querySelector<SubrailPortal>('subrail-portal');
const secret = secretOfPage();

// Without a session a wallet sees what the chain shows of it.
if (secret === '') location.replace(`${SERVICE}cancel`);
else if (portal !== null) Object.assign(portal, { level: 1, service: SERVICE, session: secret });
