/** How each route is told: its name in generated clients, and what it does in a sentence or two. */
export const OPERATIONS: Readonly<Record<string, readonly [operationId: string, summary: string]>> = {
  'GET /v1/access': [
    'checkAccess',
    'Whether a customer has access. Name the customer by exactly one of wallet, external_id and email. With plan, one answer; without, one for every plan the customer has anything on.',
  ],
  'GET /v1/project': ['retrieveProject', 'The project the key belongs to.'],
  'GET /v1/plans': ['listPlans', 'Every published plan, active or sunset, sorted by slug.'],
  'GET /v1/plans/{slug}': ['retrievePlan', 'One plan.'],
  'POST /v1/subscriptions': [
    'createSubscription',
    'Reserves a subscription and hands out the terms and the transaction for the wallet to sign.',
  ],
  'POST /v1/subscriptions/{id}/transaction': [
    'createTransaction',
    'Builds a fresh transaction for a pending subscription. Always sign the one of the last call.',
  ],
  'POST /v1/subscriptions/{id}/submit': [
    'submitSubscription',
    'Takes both signatures, co-signs, sends, and waits for the chain: up to 90 seconds. Safe to repeat unchanged.',
  ],
  'GET /v1/subscriptions': [
    'listSubscriptions',
    "One customer's subscriptions, newest first. Name the customer by exactly one of wallet, external_id and email.",
  ],
  'GET /v1/subscriptions/{id}': ['retrieveSubscription', 'One subscription.'],
  'GET /v1/subscriptions/{id}/attempts': ['listAttempts', 'Its charges, newest first.'],
  'POST /v1/subscriptions/{id}/retry': [
    'retrySubscription',
    'Runs the charge of the missed period now, in the background; its outcome comes as an event.',
  ],
  'POST /v1/subscriptions/{id}/cancel': [
    'cancelSubscription',
    'Builds the cancellation for the wallet to sign and send. Nothing changes until it is confirmed.',
  ],
  'POST /v1/subscriptions/{id}/cancel/confirm': ['confirmCancel', 'Confirms the cancellation that was sent.'],
  'POST /v1/subscriptions/{id}/resume': [
    'resumeSubscription',
    'Builds the undo of a cancellation before its end, for the wallet to sign and send.',
  ],
  'POST /v1/subscriptions/{id}/resume/confirm': ['confirmResume', 'Confirms the resume that was sent.'],
  'POST /v1/subscriptions/{id}/close': [
    'closeSubscription',
    'Builds the closing of a subscription whose end has passed; the wallet gets its deposit back.',
  ],
  'POST /v1/subscriptions/{id}/close/confirm': ['confirmClose', 'Confirms the close that was sent.'],
  'GET /v1/events': ['listEvents', 'The events of the last 30 days, newest first, as they were delivered.'],
  'GET /v1/events/{id}': ['retrieveEvent', 'One event.'],
};
