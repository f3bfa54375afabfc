export { createClock } from './clock.js';
export { createCrypto } from './crypto.js';
export { signerFromKeyFile } from './key-file.js';
export { createRandom } from './random.js';
