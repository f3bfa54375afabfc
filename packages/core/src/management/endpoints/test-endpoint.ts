import type * as z from 'zod';

import { ServiceError } from '../../contract/errors.js';
import { newId, type Delivery, type Endpoint, type Project } from '../../records/index.js';
import { plus } from '../../rules/billing-periods.js';
import type { Service } from '../../service.js';
import { attemptDelivery } from '../../webhooks/attempt-delivery.js';
import { newDelivery } from '../../webhooks/create-deliveries.js';
import { signingKeys } from '../../webhooks/signing-keys.js';
import { testBody } from '../../webhooks/test-body.js';
import { TEST_PENDING_MS } from '../../webhooks/unfinished-test.js';
import { deliveryWithAttempts } from '../deliveries/read-deliveries.js';
import type { DeliveryWithAttempts } from '../deliveries/schemas.js';
import { requireEndpoint, requireEnabled } from './read-endpoints.js';
import type { EndpointTest } from './schemas.js';

const MOST_A_MINUTE = 5;
const MINUTE_MS = 60_000;

/**
 * Sends a test delivery, and returns it after its only attempt (deliveries#test-delivery). A test never
 * changes whether the endpoint counts as failing. Throws `conflict` for a disabled endpoint and during
 * another test, and `rate_limited` past five a minute.
 */
export async function testEndpoint(
  service: Service,
  project: Project,
  id: string,
  { type }: z.output<typeof EndpointTest>,
): Promise<DeliveryWithAttempts> {
  const { store, chain, crypto, clock, random, wallClock } = service;
  const endpoint = await requireEndpoint(store, project, id);
  requireEnabled(endpoint);
  if (type !== 'test' && !endpoint.types.includes(type)) {
    throw new ServiceError('invalid_request', {
      sentences: [
        `"type" must be test, or one of the types that the endpoint selects: ${endpoint.types.join(', ')}.`,
      ],
    });
  }
  const { projectId } = endpoint;
  // A test is never due: this call sends it, not a worker.
  const delivery = newDelivery({ id: null, projectId, type }, endpoint.id, random, wallClock.now(), null);
  await insertTest(service, endpoint, delivery);

  const { opened } = await signingKeys(crypto, endpoint, wallClock.now());
  const body = testBody(newId(random, 'evt'), type, chain.network, clock.now());
  const { settled } = await attemptDelivery(service, endpoint, delivery, body, opened);
  const [written] = await store.settleDeliveries([settled]);
  if (written === 'settled') return deliveryWithAttempts(settled.delivery, [settled.attempt]);
  // The endpoint was disabled or deleted meanwhile, or the test took too long, which failed it.
  const failed = (await store.findDelivery(project.id, delivery.id)) ?? delivery;
  return deliveryWithAttempts(failed, await store.listDeliveryAttempts(delivery.id));
}

/** Stores a test, unless the endpoint has had enough of them. */
async function insertTest({ store }: Service, endpoint: Endpoint, delivery: Delivery): Promise<void> {
  const now = delivery.createdAt;
  await store.transaction(async (operations) => {
    const tests = await operations.listTestDeliveries(endpoint.id, plus(now, -MINUTE_MS));
    // Of two calls at the same time one gets lost, also when they are on different hosts.
    const counted = await operations.updateEndpoint({ ...endpoint, version: endpoint.version + 1 });
    const isPending = tests.some(
      ({ state, createdAt }) => state === 'pending' && createdAt > plus(now, -TEST_PENDING_MS),
    );
    if (counted === 'lost' || isPending) {
      throw new ServiceError('conflict', {
        message:
          'Another test is being sent to the endpoint, or it is being changed. Wait until that is over.',
      });
    }
    const oldest = tests[MOST_A_MINUTE - 1];
    if (oldest !== undefined) {
      const wait = oldest.createdAt.getTime() + MINUTE_MS - now.getTime();
      throw new ServiceError('rate_limited', {
        message: `An endpoint gets at most ${MOST_A_MINUTE} test deliveries a minute.`,
        retryAfter: Math.max(1, Math.ceil(wait / 1_000)),
      });
    }
    await operations.insertDeliveries([delivery]);
  });
}
