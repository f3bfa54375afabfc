import { describeInterruptions } from './describe-moves.js';
import { sqlitePlace } from './place.js';

const manyBatches = { subscriptions: 700, every: 3 };
describeInterruptions('from SQLite to SQLite', { from: sqlitePlace, to: sqlitePlace }, manyBatches);
