// The names that every example in a docblock or a page may use without importing or declaring them: `npm run
// check -- examples` declares them for each. They stand for what the reader has by then; an example that
// shows where one of them comes from declares it itself.

// The service, and one project of it.
declare const billing: import('@subrail/core').Billing;
declare const shop: import('@subrail/core').ProjectBilling;
declare const client: import('@subrail/core/client').Client;
declare const manager: import('@subrail/core/client').Manager;
declare const projectId: string;

// A wallet, and the ids of a subscription, a webhook endpoint, an event and a delivery.
declare const wallet: string;
declare const id: string;
declare const endpointId: string;
declare const eventId: string;
declare const deliveryId: string;
declare const mailId: string;

// An API key, and the signing secret of a webhook endpoint.
declare const key: string;
declare const secret: string;

// The reader's server: a request, a signal that aborts when it stops, and its log-in, and what it does for a
// customer.
declare const request: Request;
declare const signal: AbortSignal;
declare function userOf(request: Request): Promise<{ readonly id: string } | null>;
declare function greet(): void;
declare function showWaitingList(): void;
declare function isNew(webhookId: string): Promise<boolean>;
declare function recordPayment(subscriptionId: string, amount: string): Promise<void>;

// Ports, and what adapters are made from.
declare const store: import('@subrail/core/ports').Store;
declare const chain: import('@subrail/core/ports').Chain;
declare const clock: import('@subrail/core/ports').Clock;
declare const random: import('@subrail/core/ports').Random;
declare const sender: import('@subrail/core/ports').HttpSender;
declare const sealingKey: Uint8Array;
declare const olderSealingKey: Uint8Array;
declare const charger: import('@solana/kit').KeyPairSigner;

// The test function of the reader's test runner.
declare const test: import('@subrail/core/testing').TestFunction;

// The parts that the author of an adapter brings to the conformance kits.
declare const MyClock: new () => import('@subrail/core/ports').Clock;
declare const MyCrypto: new (
  sealingKey: Uint8Array,
  options?: { readonly older: readonly Uint8Array[] },
) => import('@subrail/core/ports').CryptoProvider;
declare const otherKey: Uint8Array;
declare const MySender: new (options?: {
  readonly allowPrivateTargets: boolean;
}) => import('@subrail/core/ports').HttpSender;
declare const createMySender: (options?: {
  readonly allowPrivate: boolean;
}) => import('@subrail/core/ports').HttpSender;
declare function openMisbehavingEndpoint(
  response: import('@subrail/core/testing').FakeResponse,
): Promise<Omit<import('@subrail/core/testing').HttpSenderUnderTest, 'sender' | 'strict'>>;
declare function openFakeMailService(behaviour: import('@subrail/core/testing').FakeMailServer): Promise<
  Omit<import('@subrail/core/testing').MailerUnderTest, 'mailer' | 'withinMs' | 'secrets'> & {
    readonly url: string;
  }
>;
declare const MyMailer: new (options: {
  readonly url: string;
  readonly key: string;
  readonly timeoutMs: number;
}) => import('@subrail/core/ports').Mailer;
declare const mail: import('@subrail/core/ports').OutgoingMail;
declare function createEmptyDatabase(): Promise<{
  connect(): object;
  disconnectAll(): Promise<void>;
  drop(): Promise<void>;
}>;
declare function createMyStore(connection: object): import('@subrail/core/ports').Store;
declare function createRawReader(database: object): import('@subrail/core/testing').RawReader;
declare const project: import('@subrail/core/ports').Project;
declare function startLocalChain(): Promise<{
  readonly connection: object;
  readonly harness: Omit<import('@subrail/core/testing').ChainUnderTest, 'chain'>;
}>;
declare function createMyChain(options: { readonly connection: object }): import('@subrail/core/ports').Chain;
declare function failingStore(
  store: import('@subrail/core/ports').Store,
): import('@subrail/core/ports').Store;
