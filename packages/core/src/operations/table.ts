import { accessOperations } from './access/operations.js';
import { actionOperations } from './actions/operations.js';
import { checkoutOperations } from './checkout/operations.js';
import { deliveryOperations } from './deliveries/operations.js';
import { doctorOperations } from './doctor/operations.js';
import { endpointOperations } from './endpoints/operations.js';
import { eventOperations } from './events/operations.js';
import { managementOperations } from './management/operations.js';
import type { ContractOperation, Operation } from './operation.js';
import { planOperations } from './plans/operations.js';
import { projectOperations } from './projects/operations.js';
import { reportOperations } from './reports/operations.js';
import { secretOperations } from './secrets/operations.js';
import { subscriptionOperations } from './subscriptions/operations.js';
import { walletOperations } from './wallets/operations.js';

/**
 * Every operation of the service, in the order in which the documents list them. The functions of `Billing`, the routes
 * and the OpenAPI document are all made from this table.
 */
export const OPERATIONS = [
  ...accessOperations,
  ...projectOperations,
  ...planOperations,
  ...checkoutOperations,
  ...subscriptionOperations,
  ...actionOperations,
  ...eventOperations,
  ...endpointOperations,
  ...deliveryOperations,
  ...doctorOperations,
  ...secretOperations,
  ...managementOperations,
  ...reportOperations,
] as const;

/** The operations of the contract, under `/v1`. */
export const CONTRACT_OPERATIONS: readonly ContractOperation[] = (OPERATIONS as readonly Operation[]).filter(
  isOfContract,
);

/**
 * What a management key opens: every operation of management, and those of the contract for any project, whose paths follow that of
 * the project.
 */
export const MANAGED_OPERATIONS: readonly Operation[] = OPERATIONS.map((operation) =>
  isOfContract(operation)
    ? { ...operation, path: `/manage/v1/projects/{project}${operation.path}` }
    : operation,
);

/** What anybody may ask and do for a wallet without a key, because only its own signature changes anything. */
export const WALLET_OPERATIONS: readonly Operation[] = walletOperations;

function isOfContract(operation: Operation): operation is ContractOperation {
  return operation.scope === 'project';
}
