export { createCrypto, sealingKeyId } from './crypto.js';
export type { ClientAddressOptions } from './http/client-address.js';
export { toNodeHandler, type NodeHandler, type NodeHandlerOptions } from './http/node-handler.js';
export { toHandlerRequest } from './http/node-request.js';
export { sendResponse } from './http/send-response.js';
export { signerFromKeyFile } from './key-file.js';
export { openBilling, type OpenBillingOptions, type OpenedBilling } from './open/open-billing.js';
export { sealingKeyFromText } from './open/sealing-key.js';
export { createRandom } from './random.js';
