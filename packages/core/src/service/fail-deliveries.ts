import type { Endpoint } from '../records/index.js';
import type { Service } from '../service.js';

/** Fails the pending deliveries of an endpoint that gets nothing any more. Returns their number. */
export async function failDeliveries(
  { store, wallClock, logger }: Pick<Service, 'store' | 'wallClock' | 'logger'>,
  { id, projectId }: Pick<Endpoint, 'id' | 'projectId'>,
): Promise<number> {
  const failed = await store.failDeliveries(id, wallClock.now());
  if (failed > 0)
    logger.info(
      { endpoint: id, project: projectId, deliveries: failed },
      'Deliveries failed because their endpoint is disabled or deleted.',
    );
  return failed;
}
