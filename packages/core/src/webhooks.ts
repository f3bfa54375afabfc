/** Verifies webhooks, for their receivers, and says where webhooks may go, for their senders. */
export { verifyWebhook, type VerifiedWebhook } from './webhooks/receiver/verify-webhook.js';
export { readSigningSecrets } from './webhooks/receiver/read-signing-secrets.js';
export { WebhookError } from './webhooks/receiver/webhook-error.js';
export type { FetchWebhook, RawWebhook } from './webhooks/receiver/webhook-request.js';
export type { WebhookEvent } from './webhooks/receiver/webhook-event.js';
export { isPublicAddress, isPublicHost } from './webhooks/public-address.js';
export {
  isPrivateTarget,
  PRIVATE_TARGET_FORMS,
  webhookTargets,
  type WebhookTargets,
} from './webhooks/webhook-targets.js';
