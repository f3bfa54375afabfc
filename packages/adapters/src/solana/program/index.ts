export {
  decodeAuthority,
  decodePlan,
  decodeSubscription,
  type AuthorityAccount,
  type PlanAccount,
  type SubscriptionAccount,
} from './accounts.js';
export { SUBSCRIPTIONS_PROGRAM, createAddresses, type Addresses } from './addresses.js';
export { createPlan, deletePlan, updatePlan } from './plan-instructions.js';
export {
  UNKNOWN_INIT_ID,
  cancel,
  initAuthority,
  resume,
  revoke,
  subscribe,
} from './subscriber-instructions.js';
export { transfer } from './transfer-instruction.js';
