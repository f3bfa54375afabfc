export { openMisbehavingEndpoint, type MisbehavingEndpoint } from './misbehaving-endpoint.js';
