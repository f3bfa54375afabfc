export { createFetchSender, type FetchSenderOptions } from './fetch-sender.js';
