export { type SolanaChainOptions, createSolanaChain } from './chain.js';
export {
  type AuthorityAccount,
  type PlanAccount,
  type SubscriptionAccount,
  decodeAuthority,
  decodePlan,
  decodeSubscription,
} from './program/accounts.js';
export { type Addresses, SUBSCRIPTIONS_PROGRAM, createAddresses } from './program/addresses.js';
export { createPlan, deletePlan, updatePlan } from './program/plan-instructions.js';
export {
  UNKNOWN_INIT_ID,
  cancel,
  initAuthority,
  resume,
  revoke,
  subscribe,
} from './program/subscriber-instructions.js';
export { transfer } from './program/transfer-instruction.js';
export type { ComputeUnitPrice } from './transaction/compute-price.js';
export type { Timeouts } from './rpc/failover.js';
export type { RpcSource } from './rpc/sources.js';
export { NotLanded, sendSigned, type SendSignedOptions } from './send/send-signed.js';
export { signerFromSecret } from './sign/signers.js';
