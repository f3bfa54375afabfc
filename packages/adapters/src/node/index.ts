export { signerFromKeyFile } from './key-file.js';
