import type * as core from '@subrail/core/schemas';

/** The costs of a first payment besides the price: deposits that come back, and fees. */
export type CostsWire = core.CostsWire;

/** A session: its project, plans, customer and subscriptions. */
export type CustomerSession = core.CustomerSession;

/** A subscription with the actions that its customer can take now. */
export type CustomerSubscription = core.CustomerSubscription;

/** A subscription as the contract has it. */
export type SubscriptionWire = core.SubscriptionWire;
