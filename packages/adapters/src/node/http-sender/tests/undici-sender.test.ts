// Heavy: the kit of senders waits for the deadlines of posts in real time.

import { httpSenderConformance } from '@subrail/core/testing';
import { describe, test } from 'vitest';
import { openMisbehavingEndpoint } from './misbehaving-endpoint.js';
import { createUndiciSender } from './undici-sender.js';

describe('the HttpSender port on undici', () => {
  httpSenderConformance(test, async (response) => {
    const endpoint = await openMisbehavingEndpoint(response);
    return { ...endpoint, sender: createUndiciSender({ allowPrivate: true }), strict: createUndiciSender() };
  });
});
