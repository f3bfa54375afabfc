// Heavy: the kit of senders waits for the deadlines of posts in real time.

import { openMisbehavingEndpoint } from '@subrail/adapters/http-testing';
import { httpSenderConformance } from '@subrail/core/testing';
import { describe, test } from 'vitest';
import { createFetchSender } from '../fetch-sender.js';

describe('the HttpSender port on fetch', () => {
  httpSenderConformance(test, async (response) => {
    const endpoint = await openMisbehavingEndpoint(response);
    return { ...endpoint, sender: createFetchSender({ allowPrivate: true }), strict: createFetchSender() };
  });
});
