export type { ResolveHost } from './checked-lookup.js';
export { createHttpSender, type HttpSenderOptions, type NodeHttpSender } from './sender.js';
