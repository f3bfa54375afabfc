import type { Store, StoreCapabilities } from '../store.js';

/** The name of a capability, which is that of its interface. */
export type StoreCapability = keyof StoreCapabilities;

type Tiers = { readonly Store: Store } & StoreCapabilities;

/** Every method of each tier: a method that is missing here, or not in the interface, does not compile. */
const METHODS: { readonly [Tier in keyof Tiers]: { readonly [Method in keyof Tiers[Tier]]: true } } = {
  Store: {
    claimChainIdentity: true,
    insertProject: true,
    findProject: true,
    listProjects: true,
    insertApiKey: true,
    findApiKey: true,
    insertPlan: true,
    updatePlan: true,
    findPlan: true,
    findPlanBySlug: true,
    listPlans: true,
    claimPlanChecks: true,
    schedulePlanChecks: true,
    findSubscription: true,
    listByWalletAndPlan: true,
    listByCustomer: true,
    listForAccess: true,
    countPending: true,
    listSeatsOver: true,
    listParked: true,
    findSeats: true,
    commit: true,
    claimDue: true,
    listAccessEnds: true,
    wakeSubscribers: true,
    nextWakeAt: true,
    findOpenTransfer: true,
    findTransferBySignature: true,
    listTransfers: true,
    listAttempts: true,
    findEvent: true,
    listEvents: true,
    saveBodiesIfAbsent: true,
    listHeldEvents: true,
    releaseEvents: true,
    insertEndpoint: true,
    updateEndpoint: true,
    listEndpoints: true,
    findEndpoint: true,
    claimEndpoints: true,
    releaseEndpoint: true,
    listDueDeliveries: true,
    settleDeliveries: true,
    failDeliveries: true,
    transaction: true,
  },
  WalletStore: { findWalletSubscription: true, listByWallet: true, findSignedTerms: true },
  SessionStore: {
    insertSession: true,
    findSession: true,
    findSessionBySecret: true,
    reserveForSession: true,
    submitForSession: true,
    listSessionSubscriptions: true,
    readPendingOfLinks: true,
    saveProjectLook: true,
    findProjectLook: true,
    insertLink: true,
    findLink: true,
    listLinks: true,
    endLink: true,
    deleteUnusedVisits: true,
    deleteSessions: true,
  },
  ManagementStore: {
    updateProject: true,
    deleteProject: true,
    listLate: true,
    listApiKeys: true,
    touchApiKey: true,
    revokeApiKey: true,
    expireApiKey: true,
    listEndpointsAfter: true,
    insertDeliveries: true,
    resendDeliveries: true,
    listTestDeliveries: true,
    failUnfinishedTests: true,
    findDelivery: true,
    listDeliveryAttempts: true,
    listDeliveries: true,
    insertManagementKey: true,
    findManagementKey: true,
    listManagementKeys: true,
    touchManagementKey: true,
    revokeManagementKey: true,
    insertAuditEntry: true,
    completeAuditEntry: true,
    listAuditEntries: true,
  },
  ReportStore: {
    searchSubscriptions: true,
    countSubscriptions: true,
    searchPayments: true,
    findPayment: true,
    insertRefund: true,
    listRefunds: true,
    countBacklog: true,
    nextDeliveryAt: true,
    countHeldEvents: true,
    listSubscriptionDeliveries: true,
    listProjectDeliveries: true,
    listByNextTry: true,
    listByPlanEnd: true,
    listProjectAttempts: true,
    countRunning: true,
    listUnpricedAttempts: true,
    priceAttempts: true,
  },
  FigureStore: {
    addFigures: true,
    mergeFigures: true,
    readFigures: true,
    readFiguresBefore: true,
    replaceFigures: true,
    listMovements: true,
  },
  RetentionStore: {
    deleteEvents: true,
    deleteDeliveries: true,
    deleteExpiredCheckouts: true,
    hastenDeliveries: true,
  },
};

/** The names of the methods of `Store`, which every store has, and of each capability. */
export const STORE_METHODS = Object.fromEntries(
  Object.entries(METHODS).map(([tier, methods]) => [tier, Object.keys(methods)]),
) as unknown as Readonly<Record<keyof Tiers, readonly string[]>>;

/** Every capability that a store may have. */
export const STORE_CAPABILITIES = Object.keys(STORE_METHODS).filter(
  (tier) => tier !== 'Store',
) as readonly StoreCapability[];

/** The methods of a tier that an object does not have. */
export function lackingMethods(store: object, tier: keyof Tiers): readonly string[] {
  return STORE_METHODS[tier].filter((method) => typeof Reflect.get(store, method) !== 'function');
}
