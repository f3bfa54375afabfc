export { createCrypto } from './crypto.js';
export { signerFromKeyFile } from './key-file.js';
export { createRandom } from './random.js';
