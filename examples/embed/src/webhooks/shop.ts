import Database from 'better-sqlite3';
import { createClient } from '@subrail/core/client';
import { readSigningSecrets } from '@subrail/core/webhooks';
import { AccessRecords } from './access-records.js';
import type { Receiver } from './receive.js';

export const receiver: Receiver = {
  // One secret, or several with commas between: `new,old` after a rotation without an overlap.
  secret: readSigningSecrets(process.env['WEBHOOK_SECRET']),
  records: new AccessRecords(new Database(process.env['SHOP_DATABASE'] ?? 'shop.db')),
  client: createClient({
    url: process.env['BILLING_URL'] ?? 'https://billing.example.com',
    key: process.env['BILLING_API_KEY'] ?? '',
  }),
};
