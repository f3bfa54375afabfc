/** Verifies webhooks, for those who receive them, and checks which addresses are public, for those who send. */
export * from './webhooks/receiver/verify-webhook.js';
export { WebhookError, type WebhookRefusal } from './webhooks/receiver/webhook-error.js';
export type { FetchWebhook, RawWebhook } from './webhooks/receiver/webhook-request.js';
export type { UnknownWebhookEvent, WebhookEvent } from './webhooks/receiver/webhook-event.js';
export * from './webhooks/public-address.js';
