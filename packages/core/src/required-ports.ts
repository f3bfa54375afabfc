import type { Store } from './ports/index.js';
import { lackingMethods, STORE_CAPABILITIES, STORE_METHODS } from './ports/store/tiers.js';
import type { Service } from './service.js';

/** The ports without which there is no service. The store need not have every capability. */
export type RequiredPorts = Pick<Service, 'chain' | 'clock' | 'random' | 'crypto' | 'sender'> & {
  readonly store: Store;
};

type MethodsOf<Port> = {
  readonly [Name in keyof Port as Port[Name] extends (...args: never) => unknown ? Name : never]: true;
};

/** Every method of each required port but the store. A missing or additional one does not compile. */
const METHODS: {
  readonly [Name in Exclude<keyof RequiredPorts, 'store'>]: MethodsOf<RequiredPorts[Name]>;
} = {
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
    readReceipt: true,
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

const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  store: STORE_METHODS.Store,
  ...Object.fromEntries(Object.entries(METHODS).map(([name, methods]) => [name, Object.keys(methods)])),
};

/**
 * Throws a TypeError that names the first required port which is missing or lacks a method, or the capability
 * of which the store has a part.
 */
export function requirePorts(ports: unknown): void {
  if (typeof ports !== 'object' || ports === null) {
    throw new TypeError(`createBilling needs an object with ${Object.keys(REQUIRED).join(', ')}.`);
  }
  for (const [name, methods] of Object.entries(REQUIRED)) {
    const port: unknown = Reflect.get(ports, name);
    if (typeof port !== 'object' || port === null) {
      const found =
        port === undefined ? 'it is missing' : `it is ${port === null ? 'null' : `a ${typeof port}`}`;
      throw new TypeError(`createBilling needs the port "${name}", an object: ${found}.`);
    }
    const lacking = methods.filter((method) => typeof Reflect.get(port, method) !== 'function');
    if (lacking.length > 0) {
      throw new TypeError(`The port "${name}" of createBilling lacks ${listOf(lacking)}.`);
    }
  }
  requireWholeCapabilities(Reflect.get(ports, 'store') as object);
}

function requireWholeCapabilities(store: object): void {
  for (const capability of STORE_CAPABILITIES) {
    const lacking = lackingMethods(store, capability);
    if (lacking.length > 0 && lacking.length < STORE_METHODS[capability].length) {
      throw new TypeError(
        `The port "store" of createBilling has a part of ${capability}, and lacks ${listOf(lacking)}. Add what it lacks, or leave out all of ${capability}.`,
      );
    }
  }
}

function listOf(methods: readonly string[]): string {
  return `${methods.length === 1 ? 'the method' : 'the methods'} ${methods.join(', ')}`;
}
