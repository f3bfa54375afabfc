// Heavy: each scenario plays months on a service that it creates.

import { playPage } from './play-page.js';

playPage('changes');
