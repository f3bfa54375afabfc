// Heavy: each scenario plays months of a service of its own.

import { playPage } from './play-page.js';

playPage('blocked');
