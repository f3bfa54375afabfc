export type { ResolveHost } from './checked-lookup.js';
export { createHttpSender, type HttpSenderOptions } from './sender.js';
