import { describeInterruptions } from './describe-moves.js';
import { sqlitePlace } from './place.js';

const everyStatement = { subscriptions: 700, every: 1 };
describeInterruptions('from SQLite to SQLite', { from: sqlitePlace, to: sqlitePlace }, everyStatement);
