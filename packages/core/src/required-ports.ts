import type { Service } from './service.js';

/** The ports without which there is no service. */
export type RequiredPorts = Pick<Service, 'store' | 'chain' | 'clock' | 'random' | 'crypto' | 'sender'>;

type MethodsOf<Port> = {
  readonly [Name in keyof Port as Port[Name] extends (...args: never) => unknown ? Name : never]: true;
};

/** Every method of each required port: a method that is missing here, or not in the port, does not compile. */
const METHODS: { readonly [Name in keyof RequiredPorts]: MethodsOf<RequiredPorts[Name]> } = {
  store: {
    claimChainIdentity: true,
    findOpenTransfer: true,
    findTransferBySignature: true,
    listTransfers: true,
    findSignedTerms: true,
    listAttempts: true,
    findPaidAttempt: true,
    listUnpricedAttempts: true,
    priceAttempts: true,
    findEvent: true,
    listEvents: true,
    saveBodiesIfAbsent: true,
    listHeldEvents: true,
    releaseEvents: true,
    insertPlan: true,
    updatePlan: true,
    findPlan: true,
    findPlanBySlug: true,
    claimPlanChecks: true,
    schedulePlanChecks: true,
    listPlans: true,
    listPublishedPlans: true,
    insertProject: true,
    updateProject: true,
    findProject: true,
    listProjects: true,
    deleteProject: true,
    insertApiKey: true,
    findApiKey: true,
    touchApiKey: true,
    listApiKeys: true,
    revokeApiKey: true,
    expireApiKey: true,
    findSubscription: true,
    listByWalletAndPlan: true,
    findWalletSubscription: true,
    listByWallet: true,
    listByCustomer: true,
    listForAccess: true,
    countPending: true,
    countOtherSeats: true,
    listSeatsOver: true,
    listParked: true,
    findSeats: true,
    listLate: true,
    commit: true,
    claimDue: true,
    listAccessEnds: true,
    wakeSubscribers: true,
    nextWakeAt: true,
    insertEndpoint: true,
    updateEndpoint: true,
    listEndpoints: true,
    findEndpoint: true,
    listEndpointsAfter: true,
    claimEndpoints: true,
    releaseEndpoint: true,
    listDueDeliveries: true,
    postponeUnreadableDelivery: true,
    settleDeliveries: true,
    failDeliveries: true,
    insertDeliveries: true,
    resendDeliveries: true,
    listTestDeliveries: true,
    failUnfinishedTests: true,
    hastenDeliveries: true,
    findDelivery: true,
    listProjectDeliveries: true,
    listDeliveryAttempts: true,
    listDeliveries: true,
    nextDeliveryAt: true,
    deleteEvents: true,
    deleteDeliveries: true,
    deleteExpiredCheckouts: true,
    insertManagementKey: true,
    findManagementKey: true,
    listManagementKeys: true,
    touchManagementKey: true,
    revokeManagementKey: true,
    insertAct: true,
    settleAct: true,
    listActs: true,
    searchSubscriptions: true,
    countBacklog: true,
    countHeldEvents: true,
    listSubscriptionDeliveries: true,
    listByNextTry: true,
    listByPlanEnd: true,
    listProjectAttempts: true,
    countRunning: true,
    countBegun: true,
    countLost: true,
    transaction: true,
  },
  chain: {
    readGenesis: true,
    head: true,
    readCharger: true,
    servers: true,
    planAddress: true,
    subscriptionAddress: true,
    readPlan: true,
    readPlans: true,
    readMint: true,
    readAddress: true,
    readTokensOf: true,
    readSubscribers: true,
    readCharges: true,
    readHistory: true,
    build: true,
    signatureOf: true,
    inspect: true,
    isSignatureOf: true,
    readTextSignature: true,
    readLifetime: true,
    cosign: true,
    simulate: true,
    signCharges: true,
    send: true,
    resolve: true,
  },
  clock: { now: true, sleep: true },
  random: { bytes: true },
  crypto: { digest: true, mac: true, seal: true, open: true, reseal: true },
  sender: { post: true },
};

/**
 * Throws a TypeError that names the first required port which is missing or lacks a method, so that a service that is put
 * together wrongly does not start.
 */
export function requirePorts(ports: unknown): void {
  if (typeof ports !== 'object' || ports === null) {
    throw new TypeError(`createBilling needs an object with ${Object.keys(METHODS).join(', ')}.`);
  }
  for (const [name, methods] of Object.entries(METHODS)) {
    const port: unknown = Reflect.get(ports, name);
    if (typeof port !== 'object' || port === null) {
      const found =
        port === undefined ? 'it is missing' : `it is ${port === null ? 'null' : `a ${typeof port}`}`;
      throw new TypeError(`createBilling needs the port "${name}", an object: ${found}.`);
    }
    const lacking = Object.keys(methods).filter((method) => typeof Reflect.get(port, method) !== 'function');
    if (lacking.length > 0) {
      throw new TypeError(
        `The port "${name}" of createBilling lacks ${lacking.length === 1 ? 'the method' : 'the methods'} ${lacking.join(', ')}.`,
      );
    }
  }
}
