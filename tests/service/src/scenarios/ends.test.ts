import { playPage } from './play-page.js';

playPage('ends');
