import { playPage } from './play-page.js';

playPage('retries-by-hand');
