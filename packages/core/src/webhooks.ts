/** Verifies and reads webhooks, for those who receive them, and checks which addresses are public, for those who send. */
export * from './webhooks/read-webhook.js';
export * from './webhooks/verify-webhook.js';
export * from './webhooks/public-address.js';
