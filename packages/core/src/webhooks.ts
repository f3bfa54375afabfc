/** For those who receive webhooks: verifying and reading them. Senders find here which addresses are public. */
export * from './webhooks/read-webhook.js';
export * from './webhooks/verify-webhook.js';
export * from './webhooks/public-address.js';
