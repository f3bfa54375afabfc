import { playPage } from './play-page.js';

playPage('charges');
