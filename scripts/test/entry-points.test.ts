import { describe, expect, it } from 'vitest';
import { exportsOf, publishedEntryPointSources } from '../tasks/entry-points.mjs';

/**
 * What the entry points of core and of the adapters export. Whoever adds a name here decides that users may depend on it,
 * and that it is kept for as long as the version is.
 */
const EXPORTS: Readonly<Record<string, { readonly values: string; readonly types: string }>> = {
  '@subrail/adapters/memory': {
    values: 'createMemoryStore',
    types: 'MemoryStore',
  },
  '@subrail/adapters/kysely': {
    values: `
      MoveRefused MovedDatabaseError SchemaDriftError cancelMove createKyselyStore migrate moveRecords
      pendingMigrations postgresTraits refusedMove sqliteTraits
    `,
    types: 'Database DialectTraits KeyFreshness MoveProgress MoveSource MoveTarget TableTotals',
  },
  '@subrail/adapters/sqlite': {
    values: `
      DatabaseFileError openMovableSqlite openSqliteStore pendingSqliteMigrations refuseMissingFiles
    `,
    types: 'SqliteOptions',
  },
  '@subrail/adapters/postgres': {
    values: `
      DamagedDatabaseError PostgresRefusal openMovablePostgres openPostgresStore pendingPostgresMigrations
    `,
    types: 'PostgresOptions PostgresTimeouts',
  },
  '@subrail/adapters/pglite': {
    values: 'openPgliteStore',
    types: 'PgliteOptions',
  },
  '@subrail/adapters/solana': {
    values: `
      NotLanded SUBSCRIPTIONS_PROGRAM UNKNOWN_INIT_ID cancel createAddresses createPlan
      createSolanaChain decodeAuthority decodePlan decodeSubscription deletePlan
      initAuthority resume revoke sendSigned signerFromSecret subscribe
      transfer updatePlan
    `,
    types: `
      Addresses AuthorityAccount ComputeUnitPrice PlanAccount RpcSource SendSignedOptions SolanaChainOptions SubscriptionAccount Timeouts
    `,
  },
  '@subrail/adapters/http': {
    values: 'createHttpSender',
    types: 'HttpSenderOptions NodeHttpSender ResolveHost',
  },
  '@subrail/adapters/fetch': {
    values: 'createFetchSender',
    types: 'FetchSenderOptions',
  },
  '@subrail/adapters/node': {
    values: `
      createCrypto createNodeClock createRandom openBilling permissionsOfSecret postgresAddressFault postgresServers sealingKeyFromText
      sealingKeyId sendResponse signerFromKeyFile toHandlerRequest toNodeHandler
    `,
    types: `
      ClientAddressOptions NodeHandler NodeHandlerOptions OpenBillingOptions OpenedBilling SecretPermissions
    `,
  },
  '@subrail/adapters/clock': {
    values: 'createChainClock createClock',
    types: 'ClockSources',
  },
  '@subrail/adapters/prices': {
    values: 'createHttpPrices createStaticPrices',
    types: 'HttpPricesOptions',
  },
  '@subrail/adapters/tokens': {
    values: 'createHttpTokens readTokenList',
    types: 'HttpTokensOptions',
  },
  '@subrail/adapters/web-crypto': {
    values: 'createWebCrypto createWebRandom',
    types: '',
  },
  '@subrail/core': {
    values: `
      ERRORS ServiceError TIERS VERSION WrongChain createBilling createHandler createRefuse
      createRequestHandler isServiceError openApiDocument
    `,
    types: `
      Access AccessAnswer AccessList AccessQueryInput ActPage ActWire ActsQueryInput ApiKeyInput ApiKeyRotation ApiKeyWire AttemptCount AttemptPage AttemptWire
      AttemptsQueryInput BacklogFigures Billing BillingPorts BillingWorker BuildAnswer ChainCallCount ChargePass ChargerReading ClientAddress
      ConfirmBody Confirmation CreateAnswer CreateBody DeliveryPass EndpointInput
      EndpointUpdate EndpointWire EndpointWithSecret ErrorBody ErrorCode EventPage
      EventType EventWire EventsQueryInput Examination ExaminationQueryInput ExpectedPlan Explanation
      FetchHandler FindingWire HandlerOptions HandlerRequest HandlerResponse HealthOptions JsonSchema Logger
      ManagedPlan ManagedProject ManagementKeyInput ManagementKeyWire Metrics
      MountOptions Network NewApiKey NewManagementKey Notice Notices OpenApiDocument OverdueSeconds Span SpanEnd Telemetry
      OpenApiOperation OpenApiOptions PassState PlanEnd PlanInput PlanList PlanPullers
      PlanSunset PlanUpdate SubscriptionUpdate PlanWire PricePass Prices ProjectBilling ProjectInput
      ProjectUpdate ProjectWire ReasonCode Refuse
      RequestHandler RequestHandlerOptions ResealedSecrets RetentionPass SealingKeyState SecretRotation
      Served Service Settings SnapshotPass
      SubmitBody SubscriptionPage SubscriptionStatus SubscriptionWire
      SubscriptionsQueryInput Tier TierName Tokens Trouble TroubleKind VerifiedToken
      WalletAction WalletConfirmBody WalletConfirmation WalletSubmitBody WalletSubmitted WalletSubscription
      WalletSubscriptionPage WalletSubscriptionsQueryInput WalletTransactionBody WorkerPass
      AttemptCause ChargedPlan Collected CountAndAmount LossCause Overview OverviewQueryInput PlanOverview
      Schedule ScheduleQueryInput ScheduledDay SubscriptionDetail SubscriptionInternals SubscriptionSearchPage
      SubscriptionSearchQueryInput TokenOverview TransferWire UpcomingPage UpcomingQueryInput UpcomingWire
    `,
  },
  '@subrail/core/client': {
    values: `
      ApiError ApiErrors CallError ConnectionError UnreadableAnswerError createClient createManager isApiError
    `,
    types: `
      ApiErrorClass ApiErrorFacts CallOptions Client ClientOptions ErrorCode Listed Manager ManagerOptions Page
    `,
  },
  '@subrail/core/ports': {
    values: `
      PLAN_ACCESS_FIELDS SUBSCRIPTION_ACCESS_FIELDS SUBSCRIPTION_DUE_FIELDS Semaphore Unavailable
    `,
    types: `
      AccessEnds AccessInput Act ActFilter ActId ActOutcome AddressKind AddressView ApiKey ApiKeyId Attempt AttemptId AttemptOutcome AutomaticRetries Batch BatchCursor BlockedReason
      BuildRequest BuiltTransaction Cancellation Chain ChainHead ChainIdentity ChainIdentityStore
      ChainRefusal ChainResult ChainUnavailable
      ChangeAction ChargeOrder ChargeStore ChargeTarget ChargeView ChargerView CheckoutAction ClaimedEndpoint
      ClaimedSubscription Claims Clock Commit CryptoProvider Customer Delivery DeliveryAttempt DeliveryFilter DeliveryId DeliveryStore DueDeliveries
      DueDelivery EndReason Endpoint EndpointBatch EndpointClaimLimits EndpointClaims EndpointId EndpointList EndpointStore EventBody EventFilter EventId EventStore EventType Genesis HeldEventCursor HeldEvents HistoryQuery HttpOutcome HttpPost HttpSender IdOf Incarnation
      Inspection Json LandedPayment Late LateReason Logger ManagementKey ManagementKeyId ManagementStore MintView NamedMint Network Notice Notices Page PageRequest ParkedPlace ParkedSubscription PendingCount Plan
      PlanChanges PlanClaims PlanConflict PlanForAccess PlanId PlanOnChain PlanStatus PlanStore PlanView Prices PrivateTargets Project ProjectId
      ProjectStore Random ReceiverView RetentionStore RetryPolicy SeatsOfWallets SendOutcome ServerCondition ServerState ServerStates SettledDelivery SignatureQuery SignedTerms SignedText SimulatedRefusal TextSignature OwnedTokens
      SignedPayment SignedTransaction SigningSecret SourceView StopReason Store StoreOperations Subscription
      FullStore FullStoreOperations StoreCapabilities StoreCapability WalletStore
      SubscriberView SubscriptionEvent SubscriptionForAccess SubscriptionHistory SubscriptionId SubscriptionPlace SubscriptionStatus SubscriptionStore
      SubscriptionView Terms TierName TokenNames Tokens TransactionCosts TransactionOutcome Transfer
      TransferId Trouble TroubleKind UnpricedAttempt UnreadableRecord UnsignedTransaction VerifiedToken
      AttemptPlace Backlog BegunCount DuePlace Span SpanEnd Telemetry DueSubscription DueSubscriptions FoundSubscriptions LostCount ReportStore
      ReportedAttempt ReportedAttempts RunningCount SubscriptionFilter SubscriptionWithPlan
    `,
  },
  '@subrail/core/schemas': {
    values: `
      ATTEMPT_REASONS Access AccessAnswer ActPage ActWire ActsQuery ApiKeyInput ApiKeyRotation ApiKeyWire AccessAttempt AccessList AccessQuery AttemptOutcome AttemptPage
      AttemptWire AttemptsQuery BlockedReason BuildAnswer ConfirmBody Confirmation CostsWire CreateAnswer
      CreateBody DeliveriesQuery DeliveryAttemptWire DeliveryPage DeliveryState DeliveryWire DeliveryWithAttempts
      EVENT_DETAILS EndReason EndpointInput EndpointTest EndpointUpdate EndpointWire EndpointWithSecret
      ErrorBody EventPage EventType EventWire EventsQuery Examination ExaminationQuery ExpectedPlan
      Explanation FindingWire LateReason ManagedPlan ManagedProject ManagementKeyInput ManagementKeyWire
      Network NewApiKey NewManagementKey Nothing Payment PaymentStatus PlanEnd PlanInput PlanList PlanPullers
      PlanStatus PlanSunset PlanUpdate SubscriptionUpdate PlanWire ProjectInput ProjectUpdate ProjectWire PublicUrl REASONS
      ReasonCode
      RecoverInput Recovered ResealedSecrets ResendInput
      STATUS_NAMES SecretRotation ServiceName StopReason SubmitBody SubscriptionPage SubscriptionStatus
      SubscriptionWire SubscriptionsQuery TermsWire TierName
      AttemptCause ChargedPlan Collected CountAndAmount LossCause Overview OverviewQuery PlanOverview Schedule ScheduleQuery
      ScheduledDay SubscriptionDetail SubscriptionInternals SubscriptionSearchPage SubscriptionSearchQuery TokenOverview
      TransferWire UpcomingPage UpcomingQuery UpcomingWire
    `,
    types: `
      AccessQueryInput ActsQueryInput AttemptsQueryInput DeliveriesQueryInput EventsQueryInput ExaminationQueryInput OverviewQueryInput
      ScheduleQueryInput SubscriptionSearchQueryInput SubscriptionsQueryInput UpcomingQueryInput
    `,
  },
  '@subrail/core/testing': {
    values: `
      MADE_AT ManualClock OK RecordingSender SeededRandom aCheckout aCommit aDelivery aDeliveryAttempt aManagementKey aPlan aProject
      aSignature aSubscription aTransfer anAct anAddress anApiKey anAttempt anEndpoint anEvent anId
      chainConformance clockConformance cryptoConformance httpSenderConformance partialPort
      randomConformance storeConformance withCapabilities
    `,
    types: `
      ChainUnderTest ClockUnderTest CryptoUnderTest FakeRequest FakeResponse HttpSenderUnderTest RawReader
      StoreConformanceOptions StoreUnderTest StoredKind TestFunction
    `,
  },
  '@subrail/core/webhooks': {
    values: `
      PRIVATE_TARGET_FORMS WebhookError isPrivateTarget isPublicAddress isPublicHost readSigningSecrets
      verifyWebhook webhookTargets
    `,
    types: `
      FetchWebhook RawWebhook UnknownWebhookEvent VerifiedWebhook VerifyWebhookOptions WebhookEvent
      WebhookRefusal WebhookTargets
    `,
  },
};

const names = (text: string): readonly string[] => text.split(/\s+/).filter((name) => name !== '');

const entryPoints = publishedEntryPointSources().filter(({ name }) =>
  /^@subrail\/(core|adapters)\b/.test(name),
);
const exported = exportsOf(entryPoints.map(({ file }) => file));

it('lists every entry point of core and of the adapters', () => {
  expect(Object.keys(EXPORTS).sort()).toEqual(entryPoints.map(({ name }) => name).sort());
});

describe('an entry point exports what was chosen, and nothing else', () => {
  it.each(entryPoints.map(({ name }, index) => [name, exported[index] ?? []] as const))(
    '%s',
    (name, found) => {
      const chosen = EXPORTS[name];
      expect({
        values: found.filter(({ isValue }) => isValue).map((one) => one.name),
        types: found.filter(({ isValue }) => !isValue).map((one) => one.name),
      }).toEqual({
        values: names(chosen?.values ?? '').toSorted(),
        types: names(chosen?.types ?? '').toSorted(),
      });
    },
  );
});
