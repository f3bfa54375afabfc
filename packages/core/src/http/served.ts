import type { Service } from '../service.js';
import type { SealingKeyState } from '../webhooks/sealing-key.js';
import type { BillingWorker } from '../worker/worker.js';

/** The service behind a handler. Every `Billing` is one. */
export interface Served {
  readonly service: Service;
  /** How its passes went is part of `/health`. */
  readonly worker: Pick<BillingWorker, 'states'>;
  /** Its result is part of `/health`. */
  readonly checkSealingKey: () => Promise<SealingKeyState>;
  /** Its result is part of `/health`. */
  readonly checkChain: () => Promise<'ok' | 'unknown'>;
}
