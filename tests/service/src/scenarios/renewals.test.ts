import { playPage } from './play-page.js';

playPage('renewals');
