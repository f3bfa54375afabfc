import { sendTransaction, signTransaction } from '@subrail/localnet';
import {
  actionsOf,
  changeViews,
  createCheckout,
  DAY,
  higherPrice,
  outcomesUnknown,
  sendsLost,
  statusAndCode,
  storedSubscription,
  submitCheckout,
  type Action,
  type ApiAnswer,
  type ChainFault,
  type IssuedCheckout,
  type OutsideActions,
} from '@subrail/test-world';
import type { TierName } from '@subrail/core/schemas';
import { aCommit } from '@subrail/core/testing';

import {
  failingChain,
  interrupt,
  noBlocks,
  refuseOnce,
  silentChain,
  type ScenarioWorld,
} from './scenario-world.js';

/** Does an act; returns the answer of the service when it called one. */
type Act = (scenario: ScenarioWorld, ...captured: string[]) => unknown;

const UNIT = 1_000_000n;

/** An act that a person, or another, does on chain to a person's subscription, without the service. */
const onChain =
  (act: (outside: OutsideActions) => Promise<void>): Act =>
  async (scenario, person = 'Ada') =>
    act(await scenario.world.outside(await scenario.wallet(person)));

const withFault =
  (make: (...captured: string[]) => ChainFault): Act =>
  (scenario, ...captured) => {
    scenario.faults.set(captured.join(), make(...captured));
    scenario.applyFaults();
  };

async function create(scenario: ScenarioWorld, person: string, customer: string): Promise<ApiAnswer> {
  const wallet = await scenario.wallet(person);
  const email = `${customer.toLowerCase()}@example.com`;
  return noted(scenario, customer, await createCheckout(scenario, wallet, customer, email));
}

/** Opens a checkout of the other plan in place of what a person has. */
async function change(scenario: ScenarioWorld, person: string): Promise<ApiAnswer> {
  const { address: wallet } = await scenario.wallet(person);
  const body = { plan: 'other', wallet, replaces: oldest(scenario, person)?.id };
  return noted(scenario, person, await scenario.call('POST', '/subscriptions', body));
}

/** Remembers what a create made. */
function noted(scenario: ScenarioWorld, customer: string, answer: ApiAnswer): ApiAnswer {
  if (answer.status !== 201) return answer;
  const checkout = answer.body as unknown as IssuedCheckout;
  scenario.checkouts.set(customer, checkout);
  const { id } = checkout.subscription;
  if (!scenario.subscriptions.some((known) => known.id === id)) {
    const earlier = scenario.subscriptions.filter(({ name }) => name.split(' ')[0] === customer).length;
    scenario.subscriptions.push({ name: earlier === 0 ? customer : `${customer} ${earlier + 1}`, id });
  }
  return answer;
}

async function submit(scenario: ScenarioWorld, person: string, customer = person): Promise<ApiAnswer> {
  const checkout = scenario.checkouts.get(customer);
  if (checkout === undefined) throw new Error(`${customer} has no checkout.`);
  return submitCheckout(scenario, await scenario.wallet(person), checkout);
}

const subscribe = async (scenario: ScenarioWorld, person = ''): Promise<ApiAnswer> => {
  const created = await create(scenario, person, person);
  return created.status === 201 ? submit(scenario, person) : created;
};

const actions = async (scenario: ScenarioWorld, person: string, id: string) =>
  actionsOf({ ...scenario.world, call: scenario.call }, await scenario.wallet(person), id);

/** The first subscription of a person. */
const oldest = ({ subscriptions }: ScenarioWorld, person: string) =>
  subscriptions.find(({ name }) => name === person);

const ACTIONS: Readonly<Record<string, Action>> = { cancels: 'cancel', resumes: 'resume', closes: 'close' };

/** Builds, signs, sends and confirms; returns the answer of the build when it was refused. */
const through = async (
  scenario: ScenarioWorld,
  person = '',
  verb = '',
  which?: string,
): Promise<ApiAnswer> => {
  const action = ACTIONS[verb];
  if (action === undefined) throw new Error(`There is no action ${verb}.`);
  scenario.world.advance(1000);
  const own = which === undefined ? undefined : oldest(scenario, person);
  const { id } = own ?? scenario.subscriptionOf(person);
  const { build, confirm } = await actions(scenario, person, id);
  const built = await build(action);
  if (built.status !== 201) return built;
  const wallet = await scenario.wallet(person);
  const wire = await signTransaction(wallet, String(built.body['transaction']));
  return confirm(action, await sendTransaction(scenario.world.rpc, wire));
};

const TIERS: Readonly<Record<string, TierName>> = { Free: 'free', Dev: 'dev', Business: 'business' };

/** The acts of scenarios, in the words of the pages. Where two expressions match, the first one counts. */
const ACTS: readonly (readonly [RegExp, Act])[] = [
  [/^before the next send, (.*)$/, (scenario, words = '') => before(scenario, words)],
  // The customer and the service
  [/^(\w+) subscribes$/, subscribe],
  [/^(\w+) comes back$/, subscribe],
  [/^(\w+) opens a checkout$/, (scenario, person = '') => create(scenario, person, person)],
  [
    /^(\w+) opens a checkout for (\w+)'s wallet$/,
    (scenario, customer = '', person = '') => create(scenario, person, customer),
  ],
  [/^(\w+) submits (?:it|her checkout)$/, (scenario, person = '') => submit(scenario, person)],
  [/^(\w+) submits too late$/, submitTooLate],
  [
    /^the shop publishes another plan for (\d+)$/,
    ({ world }, tokens = '') =>
      world.publishPlan(world.projectId, 'other', { amount: String(BigInt(tokens) * UNIT) }),
  ],
  [/^(\w+) opens a change to the other plan$/, (scenario, person = '') => change(scenario, person)],
  [
    /^(\w+) changes to the other plan$/,
    async (scenario, person = '') => {
      const answer = await change(scenario, person);
      return answer.status === 201 ? submit(scenario, person) : answer;
    },
  ],
  [/^(\w+) (cancels|resumes|closes)(?: (the old one))?$/, through],
  [
    /^(\w+) asks for a retry$/,
    (scenario, person = '') =>
      scenario.call('POST', `/subscriptions/${scenario.subscriptionOf(person).id}/retry`),
  ],
  // The wallet
  [
    /^(\w+) spends everything$/,
    async ({ world, ...scenario }, person = '') => {
      const key = await scenario.wallet(person);
      return world.take(key, await world.holding(key));
    },
  ],
  [
    /^(\w+) receives (\d+)$/,
    async ({ world, ...scenario }, person = '', tokens = '') =>
      world.give(await scenario.wallet(person), BigInt(tokens) * UNIT),
  ],
  [/^(\w+) revokes the approval$/, onChain((outside) => outside.revokeApproval())],
  [/^(\w+) approves too little$/, onChain((outside) => outside.approveLittle())],
  [/^(\w+) closes the authority$/, onChain((outside) => outside.closeAuthority())],
  [/^(\w+) opens the authority again$/, onChain((outside) => outside.reopenAuthority())],
  [/^(\w+) gives the token account away$/, onChain((outside) => outside.reassignTokenAccount())],
  [/^(\w+) closes the token account$/, onChain((outside) => outside.closeTokenAccount())],
  [/^(\w+) cancels on chain$/, onChain((outside) => outside.cancel())],
  [/^(\w+) resumes on chain$/, onChain((outside) => outside.resume())],
  [/^(\w+) closes the subscription on chain$/, onChain((outside) => outside.closeSubscription())],
  [/^(\w+) closes the subscription on chain and makes another$/, onChain((outside) => outside.remake())],
  [/^(\w+)'s subscription vanishes from the chain$/, onChain((outside) => outside.remove('subscription'))],
  // The shop
  [/^the shop takes the charger off the plan$/, onChain((outside) => outside.removeCharger())],
  [
    /^the shop ends the plan on day (\d+)$/,
    async (scenario, day = '') => {
      const outside = await scenario.world.outside(await scenario.wallet('Ada'));
      return outside.endAt(new Date(scenario.start + Number(day) * DAY));
    },
  ],
  [
    /^the shop allows (\d+) retries, (\d+) days apart$/,
    async ({ world }, attempts = '', days = '') => {
      const plan = await world.plan('pro');
      const retryPolicy = { attempts: Number(attempts), waitMs: Number(days) * DAY };
      await world.store.updatePlan({ ...plan, version: plan.version + 1, retryPolicy });
    },
  ],
  [/^the shop deletes the plan$/, onChain((outside) => outside.deletePlan())],
  [/^the shop makes another plan in its place$/, onChain((outside) => outside.recreatePlan())],
  [/^the shop takes (\w+)'s payment itself$/, onChain((outside) => outside.pullAsOwner())],
  [/^the shop gives its token account away$/, onChain((outside) => outside.reassignReceiver())],
  [/^the shop's token account vanishes$/, onChain((outside) => outside.remove('receiver'))],
  [/^the shop requires memos$/, ({ world }) => world.extendedToken.requireMemos()],
  [/^the shop requires no memos$/, ({ world }) => world.extendedToken.allowNoMemos()],
  [
    /^the shop takes confidential transfers only$/,
    ({ world }) => world.extendedToken.refusePublicTransfers(),
  ],
  [/^the shop takes every transfer$/, ({ world }) => world.extendedToken.allowPublicTransfers()],
  // The token's issuer
  [/^the issuer pauses the token$/, ({ world }) => world.extendedToken.pause()],
  [/^the issuer lifts the pause$/, ({ world }) => world.extendedToken.resume()],
  [/^the issuer sets a transfer hook$/, ({ world }) => world.extendedToken.setHook()],
  [/^the issuer removes the transfer hook$/, ({ world }) => world.extendedToken.removeHook()],
  [
    /^the issuer freezes (?:the )?(\w+)$/,
    async ({ world, ...scenario }, whose = '') =>
      world.extendedToken.freeze((await scenario.wallet(whose)).address),
  ],
  [
    /^the issuer thaws (?:the )?(\w+)$/,
    async ({ world, ...scenario }, whose = '') =>
      world.extendedToken.thaw((await scenario.wallet(whose)).address),
  ],
  [
    /^the issuer takes (\d+) from (\w+)$/,
    async ({ world, ...scenario }, tokens = '', whose = '') =>
      world.extendedToken.seize((await scenario.wallet(whose)).address, BigInt(tokens) * UNIT),
  ],
  [/^the token vanishes$/, onChain((outside) => outside.remove('mint'))],
  // The operator
  [
    /^the project may have (\d+) subscribers?$/,
    async ({ world }, limit) =>
      world.inNewBlock(() =>
        world.billing.project(world.projectId).update({ subscriber_limit: Number(limit) }),
      ),
  ],
  [
    /^the project moves to (Free|Dev|Business)$/,
    async ({ world }, tier = '') =>
      world.inNewBlock(() => world.billing.project(world.projectId).update({ tier: TIERS[tier] ?? 'free' })),
  ],
  // Faults
  [/^the worker stops$/, (scenario) => (scenario.worker = false)],
  [/^the worker starts$/, (scenario) => (scenario.worker = true)],
  [/^the chain falls silent$/, withFault(() => silentChain)],
  [/^the chain answers with error (-?\d+)$/, withFault((code) => failingChain(Number(code)))],
  [/^no block is made$/, withFault(() => noBlocks)],
  [/^what is sent is lost$/, withFault(() => sendsLost)],
  [/^no landing can be read$/, withFault(() => outcomesUnknown)],
  [/^the next send is refused with (\d+)$/, withFault((code) => refuseOnce(Number(code)))],
  [
    /^every read finds the subscription gone$/,
    withFault(() => changeViews((view) => ({ ...view, subscription: null }))),
  ],
  [/^the chain shows another price$/, withFault(() => changeViews(higherPrice))],
  [
    /^the chain recovers$/,
    (scenario) => {
      scenario.faults.clear();
      scenario.applyFaults();
    },
  ],
  [
    /^the record of (\w+) loses the terms$/,
    async (scenario, person = '') => {
      const subscription = await storedSubscription(scenario.world, scenario.subscriptionOf(person).id);
      const changed = { ...subscription, version: subscription.version + 1, termsSigned: false };
      await scenario.world.store.commit([aCommit(changed)]);
    },
  ],
  [
    /^the record of the plan (loses|gets back) the date of its creation$/,
    async ({ world }, verb) => {
      const plan = await world.plan('pro');
      const { createdOnChainAt } = await world.plan('pro');
      createdDates.set(world, createdDates.get(world) ?? createdOnChainAt);
      const date = verb === 'loses' ? null : (createdDates.get(world) ?? null);
      await world.store.updatePlan({ ...plan, version: plan.version + 1, createdOnChainAt: date });
    },
  ],
];

/** When the plan of a world was created, while its record does not say so. */
const createdDates = new WeakMap<object, Date | null>();

/** Does an act that a page names. Returns the answer in short; null when all went well without more. */
export async function actInWords(scenario: ScenarioWorld, words: string): Promise<string | null> {
  for (const [pattern, act] of ACTS) {
    const found = pattern.exec(words);
    if (found === null) continue;
    const answer = await act(scenario, ...found.slice(1));
    if (!isAnswer(answer)) return null;
    const text = statusAndCode(answer);
    return /^20\d$/.test(text) ? null : text;
  }
  throw new Error(`No scenario knows how "${words}" is done.`);
}

const isAnswer = (value: unknown): value is ApiAnswer =>
  typeof value === 'object' && value !== null && 'status' in value && 'body' in value;

function before(scenario: ScenarioWorld, words: string): void {
  scenario.faults.set(
    words,
    interrupt(() => actInWords(scenario, words)),
  );
  scenario.applyFaults();
}

/** The wallet signs a checkout and submits it when its transaction has expired. */
async function submitTooLate(scenario: ScenarioWorld, person = ''): Promise<ApiAnswer> {
  scenario.world.advance(120_000);
  return submit(scenario, person);
}
