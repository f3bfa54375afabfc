/** Verifies webhooks, for those who receive them, and decides where webhooks may go, for those who send. */
export * from './webhooks/receiver/verify-webhook.js';
export { readSigningSecrets } from './webhooks/receiver/read-signing-secrets.js';
export { WebhookError, type WebhookRefusal } from './webhooks/receiver/webhook-error.js';
export type { FetchWebhook, RawWebhook } from './webhooks/receiver/webhook-request.js';
export type { UnknownWebhookEvent, WebhookEvent } from './webhooks/receiver/webhook-event.js';
export { isPublicAddress, isPublicHost } from './webhooks/public-address.js';
export * from './webhooks/webhook-targets.js';
