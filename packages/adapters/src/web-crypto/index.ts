export { createWebCrypto } from './crypto.js';
export { createWebRandom } from './random.js';
