import type { CreateAnswer } from '../../contract/build.js';
import {
  CustomerCreateBody,
  CustomerCreated,
  CustomerSession,
  CustomerSubscriptionPage,
  CustomerSubscriptionsQuery,
  OpenedLink,
} from '../../contract/customer.js';
import type { ErrorCode } from '../../contract/errors.js';
import { ReceiptWire } from '../../contract/receipt.js';
import type { SubmitBody } from '../../contract/requests.js';
import { WalletSubmitBody, WalletSubmitted } from '../../contract/wallet.js';
import type { Service } from '../../service.js';
import { actionOperations } from '../actions/operations.js';
import { checkoutOperations } from '../checkout/operations.js';
import type { Declaration } from '../operation.js';
import { subscriptionOperations } from '../subscriptions/operations.js';
import { sendSigned } from '../wallets/submit.js';
import { readHistory, reserve } from './caller.js';
import { createOfCustomer, requireUnfinished, withFacts } from './create.js';
import { openLink } from './open-link.js';
import { receiptOfCustomer } from './receipt.js';
import { type Need, requireReachable } from './require-reachable.js';
import { type CustomerCall, customerRoute } from './route.js';
import { submitOfCustomer } from './submit.js';
import { describeSession, listOfCustomer } from './view.js';

/**
 * The route of a customer for an operation of the contract on one subscription, which has to be the
 * caller's: it takes, answers and refuses the same (portal#routes-of-a-customer).
 */
function ofContract(declared: Declaration<unknown>, need: Need = {}): Declaration<unknown> {
  return derived(declared, [], async (call) => {
    const { subscription } = await requireReachable(call.service, call.caller, call.id, need);
    const answer = await runContract(declared, call);
    if (need.builds === true) await reserve(call.service, call.caller, subscription.id);
    return answer;
  });
}

function derived(
  declared: Declaration<unknown>,
  errors: readonly ErrorCode[],
  run: (call: CustomerCall<unknown>) => Promise<unknown>,
): Declaration<unknown> {
  return {
    ...declared,
    scope: 'customer',
    path: `/customer${declared.path}`,
    parameters: ['id'],
    errors: [...declared.errors, ...errors, 'session_expired'],
    run: (call) => run(call as never),
  };
}

/** Runs an operation of the contract for the caller's project, once the caller was found to reach it. */
function runContract(
  declared: Declaration<unknown>,
  { service, caller, id, input }: CustomerCall<unknown>,
): Promise<unknown> {
  const call: { service: Service; input: unknown } & Record<string, unknown> = {
    service,
    project: caller.project,
    id,
    input,
  };
  return declared.run(call);
}

const BUILDS: Need = { builds: true };

/** The operations of a customer, with a session or by an app's log-in (portal#what-a-customer-cannot-do). */
export const customerOperations = {
  session: customerRoute({
    method: 'GET',
    path: '/customer/v1/session',
    output: CustomerSession,
    summary: 'What the page shows first: the project, its plans, the customer and the newest subscriptions.',
    run: ({ service, caller }) => describeSession(service, caller),
  }),
  subscriptions: customerRoute({
    method: 'GET',
    path: '/customer/v1/subscriptions',
    input: CustomerSubscriptionsQuery,
    output: CustomerSubscriptionPage,
    summary: "The customer's subscriptions, newest first, with what can be done about each.",
    run: ({ service, caller, input }) => listOfCustomer(service, caller, input),
  }),
  create: customerRoute({
    method: 'POST',
    path: '/customer/v1/subscriptions',
    input: CustomerCreateBody,
    output: CustomerCreated,
    status: 201,
    errors: [
      ...checkoutOperations.create.errors,
      'nothing_to_replace',
      ...(['session_expired', 'session_complete', 'session_full'] as const),
    ],
    summary: checkoutOperations.create.summary,
    run: ({ service, caller, input }) => createOfCustomer(service, caller, input),
  }),
  transaction: {
    ...derived(checkoutOperations.transaction, ['plan_not_found', 'session_complete'], async (call) => {
      const { service, caller, id } = call;
      const { subscription } = await requireReachable(service, caller, id, { ...BUILDS, firstPayment: true });
      requireUnfinished(await readHistory(service, caller));
      const answer = (await runContract(checkoutOperations.transaction, call)) as CreateAnswer;
      await reserve(service, caller, subscription.id);
      return withFacts(answer);
    }),
    output: CustomerCreated,
  },
  submit: derived(
    checkoutOperations.submit,
    ['plan_not_found', 'session_complete'],
    ({ service, caller, id, input }) => submitOfCustomer(service, caller, id, input as SubmitBody),
  ),
  retrieve: ofContract(subscriptionOperations.retrieve),
  attempts: ofContract(subscriptionOperations.attempts),
  receipt: customerRoute({
    method: 'GET',
    path: '/customer/v1/receipts/{id}',
    output: ReceiptWire,
    notFound: 'not_found',
    errors: ['session_expired', 'not_supported'],
    summary: 'The receipt of a payment of the customer, by the id of its attempt.',
    run: ({ service, caller, id }) => receiptOfCustomer(service, caller, id),
  }),
  retry: derived(subscriptionOperations.retry, [], async (call) => {
    await requireReachable(call.service, call.caller, call.id, BUILDS);
    return runContract(subscriptionOperations.retry, call);
  }),
  cancel: ofContract(actionOperations.cancel, BUILDS),
  confirmCancel: ofContract(actionOperations.confirmCancel),
  resume: ofContract(actionOperations.resume, BUILDS),
  confirmResume: ofContract(actionOperations.confirmResume),
  close: ofContract(actionOperations.close, BUILDS),
  confirmClose: ofContract(actionOperations.confirmClose),
  send: customerRoute({
    method: 'POST',
    path: '/customer/v1/subscriptions/{id}/send',
    input: WalletSubmitBody,
    output: WalletSubmitted,
    status: 201,
    notFound: 'subscription_not_found',
    errors: ['not_our_transaction', 'transaction_refused', 'network_unavailable', 'session_expired'],
    summary: 'Sends a cancel, resume or close that the wallet signed, for a wallet that only signs.',
    async run({ service, caller, id, input }) {
      const { subscription } = await requireReachable(service, caller, id, {});
      return sendSigned(service, subscription, input);
    },
  }),
};

/** The operations of a visitor of a plan link, before there is a session. */
export const visitorOperations = {
  open: {
    ...customerRoute({
      method: 'POST',
      path: '/customer/v1/links/{id}/sessions',
      output: OpenedLink,
      status: 201,
      notFound: 'link_not_found',
      errors: ['link_ended'],
      summary: 'Opens a new checkout of the plan of a link.',
      run: ({ service, id }) => openLink(service, id),
    }),
    scope: 'visitor' as const,
  },
};
