import { resolve } from 'node:path';
import { shellWord } from '@subrail/adapters/node';
import type { EventWire, SubscriptionWire } from '@subrail/core/schemas';
import { formatAmount } from '../../demo/format-amount.js';
import { CommandFailed, isRefusal, UsageError } from '../errors.js';
import { addGroup, type Group } from '../command-tree.js';
import { addManaged, type ManagedCall, nextCommand, OUTPUT_OPTIONS } from '../managed.js';
import { duration, flag, required, text, whole, type Options } from '../option.js';
import { details } from '../table.js';
import { addEmbedCommand } from './local-embed.js';

const SOL = { decimals: 9, symbol: 'SOL' };
const RPC_OPTION = {
  rpc: text('url', 'the local chain, when the host is reached with --url; else the one of the host here'),
};
const MINT_OPTION = { mint: text('address', 'the token; the demo token without it') };
const WALLET_OPTION = {
  wallet: text('file', 'the key file of the wallet; the demo wallet of the host without it'),
};
const FUNDS = {
  tokens: text('amount', 'how many tokens it gets; 100 without it'),
  sol: text('amount', 'how much SOL it gets; 1 without it'),
  ...MINT_OPTION,
};
const UNDO = { undo: flag('undo it') };

/** The functions that play with a chain, loaded on use: `--help` loads no chain. */
const sandbox = async () => ({
  ...(await import('../sandbox/sandbox.js')),
  ...(await import('../sandbox/sandbox-token.js')),
  ...(await import('../sandbox/create-token.js')),
  ...(await import('../sandbox/wallet-file.js')),
  ...(await import('../sandbox/wallet-signs.js')),
  ...(await import('../sandbox/find-shop.js')),
  ...(await import('../sandbox/due-work.js')),
  ...(await import('../sandbox/new-events.js')),
  ...(await import('../sandbox/pass-time.js')),
  ...(await import('../../local/local-keys.js')),
});

/** `subrail local`, which refuses every chain but a local one. */
export function addLocalCommands(root: Group): void {
  const group = addGroup(
    root,
    'local',
    'Play with the local chain of "subrail start": wallets, subscriptions, time. It refuses every other chain.',
  );
  addManaged(group, {
    usage: 'wallet',
    about: 'Make a new wallet with SOL and tokens.',
    example: 'subrail local wallet --out ada.json --tokens 50',
    ofProject: false,
    options: {
      out: text('file', 'where its key is written; wallet.json without it'),
      ...FUNDS,
      ...RPC_OPTION,
    },
    async run({ terminal, opened, options }) {
      const { openSandbox, findToken, createWallet } = await sandbox();
      await findToken(await openSandbox(opened, options.rpc), opened, options.mint);
      const file = resolve(terminal.folder, options.out ?? 'wallet.json');
      const { address } = await createWallet(file);
      return { ...(await fund({ opened, options }, address)), file };
    },
    async shown({ mint, ...wallet }, call) {
      const ofToken = await mintOption(call, mint);
      const plan = ofToken === '' ? 'pro' : '<the slug of a plan in this token>';
      const file = shellWord(wallet.file);
      return `${details(call.terminal, wallet)}
Subscribe it to a plan:
  ${nextCommand(call)} local subscribe --plan ${plan} --wallet ${file}
Or have it own a plan, and be paid:
  ${nextCommand(call)} plan create weekly --amount 7.50 --every 7d --owner-key ${file}${ofToken}
`;
    },
  });
  addManaged(group, {
    usage: 'fund <wallet>',
    about: 'Give a wallet more SOL and tokens.',
    example: 'subrail local fund 7xKX… --tokens 25 --sol 0',
    ofProject: false,
    options: { ...FUNDS, ...RPC_OPTION },
    run: async ({ opened, operands: [wallet = ''], options }) => fund({ opened, options }, wallet),
  });
  addManaged(group, {
    usage: 'empty <wallet>',
    about: 'Take all tokens from a wallet, so that the next charge fails.',
    example: 'subrail local empty 7xKX…',
    ofProject: false,
    options: { ...MINT_OPTION, ...RPC_OPTION },
    async run({ opened, operands: [wallet = ''], options }) {
      const { rpc, token, owner, balanceOf, setTokenAccount } = await holding({ opened, options }, wallet);
      const taken = (await balanceOf(rpc, token, owner)) ?? 0n;
      await setTokenAccount(rpc, token, owner, { amount: 0n });
      return { wallet, taken: formatAmount(taken, token), mint: token.mint };
    },
    shown: async ({ wallet, taken, mint }, call) =>
      `${taken} taken from ${wallet}, which has no tokens left.\nGive it some again:\n  ${nextCommand(call)} local fund ${wallet}${await mintOption(call, mint)}\n`,
  });
  addManaged(group, {
    usage: 'freeze <wallet>',
    about: 'Freeze the token account of a wallet, so that nothing can be charged from it.',
    example: 'subrail local freeze 7xKX… --undo',
    ofProject: false,
    options: { ...UNDO, ...MINT_OPTION, ...RPC_OPTION },
    async run({ opened, operands: [wallet = ''], options }) {
      const { rpc, token, owner, setTokenAccount } = await holding({ opened, options }, wallet);
      const frozen = options.undo !== true;
      await setTokenAccount(rpc, token, owner, { state: frozen ? 'frozen' : 'initialized' });
      return { wallet, mint: token.mint, frozen };
    },
  });
  addManaged(group, {
    usage: 'token',
    about: 'Make a new token for plans, which is Token-2022 and can be paused.',
    example: 'subrail local token --decimals 2',
    ofProject: false,
    options: {
      decimals: whole('number', 'its digits after the point, 0 to 18; 6 without it'),
      ...RPC_OPTION,
    },
    async run({ opened, options: { decimals = 6, rpc: url } }) {
      if (decimals > 18) throw new UsageError('--decimals must be a whole number from 0 to 18.');
      const { openSandbox, createToken } = await sandbox();
      return { mint: await createToken(await openSandbox(opened, url), decimals), decimals };
    },
    shown: ({ mint, decimals }, call) =>
      `${details(call.terminal, { mint, decimals })}\nGive some to a wallet:\n  ${nextCommand(call)} local wallet --mint ${mint}\n`,
  });
  addManaged(group, {
    usage: 'pause-mint <mint>',
    about: 'Pause every transfer of a token of "subrail local token", so that its plans cannot be charged.',
    example: 'subrail local pause-mint 9rQ2… --undo',
    ofProject: false,
    options: { ...UNDO, ...RPC_OPTION },
    async run({ opened, operands: [mint], options }) {
      const { openSandbox, findToken, setPaused } = await sandbox();
      const rpc = await openSandbox(opened, options.rpc);
      const token = await findToken(rpc, opened, mint);
      const paused = options.undo !== true;
      await setPaused(rpc, token, paused);
      return { mint: token.mint, paused };
    },
  });
  addSubscribing(group);
  addTime(group);
  addEmbedCommand(group);
}

function addTime(group: Group): void {
  addManaged(group, {
    usage: 'time <how long>',
    about:
      'Move time ahead, and show what happens: it stops at every charge, retry and webhook until the host has done it.',
    example: 'subrail local time +30d',
    ofProject: false,
    options: {
      jump: flag('jump there at once: what was due on the way is done late, at the end'),
      ...OUTPUT_OPTIONS,
      ...RPC_OPTION,
    },
    async run({ terminal, manager, opened, operands: [typed = ''], options }) {
      const minutes = readTime(typed);
      const { openSandbox, chainTime, travelTo, passTime, ...functions } = await sandbox();
      const rpc = await openSandbox(opened, options.rpc);
      if (opened.config?.clock === 'system')
        throw new CommandFailed(
          'The service goes by the clock of this machine, which does not move with the chain. Start every host with SUBRAIL_CLOCK=chain, set it for this command too, and run it again.',
        );
      const until = new Date((await chainTime(rpc)).getTime() + minutes * 60_000);
      const tokens = await functions.tokensOf(manager);
      const newEvents = await functions.followEvents(manager);
      const events: EventWire[] = [];
      const show = async () => {
        const news = await newEvents();
        events.push(...news);
        if (options.json === true) return;
        for (const event of news) terminal.write(`${functions.eventLine(event, tokens)}\n`);
      };
      if (options.jump === true) await travelTo(rpc, until);
      else {
        const { billing } = opened;
        const work = billing === null ? functions.workOfHost(manager) : functions.workOfStore(billing);
        await passTime(rpc, work, until, show);
      }
      return { now: (await chainTime(rpc)).toISOString(), events };
    },
    shown: ({ now, events }) =>
      `It is ${now.slice(0, 19).replace('T', ' ')} UTC.${events.length === 0 ? ' Nothing happened on the way.' : ''}\n`,
  });
}

/** Reads a length of time such as +30d, in minutes. */
function readTime(typed: string): number {
  try {
    return LENGTH.read(typed.replace(/^\+/, '')) ?? 0;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`"${typed}" is no length of time: it must be ${error.message}.`);
  }
}

const LENGTH = duration('length', 'how long');

/** The commands that sign as a wallet. */
function addSubscribing(group: Group): void {
  addManaged(group, {
    usage: 'subscribe',
    about: 'Subscribe a wallet to a plan: the whole checkout, signed as the wallet would.',
    example: 'subrail local subscribe --plan pro --wallet wallet.json --email ada@example.com',
    ofProject: false,
    options: {
      plan: required(text('slug', 'the plan')),
      external_id: text('id', 'the customer in your own system'),
      email: text('address', 'where mails to the customer go'),
      ...PROJECT_OPTION,
      ...WALLET_OPTION,
      ...RPC_OPTION,
    },
    async run(call) {
      const { terminal, manager, opened, options } = call;
      const { openSandbox, openWallet, requireLocal, subscribeWallet, shopWithPlan } = await sandbox();
      const rpc = await openSandbox(opened, options.rpc);
      const wallet = await openWallet(options.wallet, opened, terminal.folder);
      const { plan, external_id, email } = options;
      const project = options.project ?? terminal.environment['SUBRAIL_PROJECT'];
      const shop = project === undefined ? await shopWithPlan(manager, plan) : manager.project(project);
      const { mint } = await shop.plans.retrieve(plan);
      const customer = {
        ...(external_id === undefined ? {} : { external_id }),
        ...(email === undefined ? {} : { email }),
      };
      try {
        const check = (_: string, transaction: string) => requireLocal(rpc, transaction);
        return { ...(await subscribeWallet(shop, wallet, { plan, ...customer }, check)), mint };
      } catch (error) {
        if (!isRefusal(error) || error.code !== 'insufficient_balance') throw error;
        throw new CommandFailed(
          `${error.message} Give it some:\n  ${nextCommand(call)} local fund ${wallet.address}${await mintOption(call, mint)}`,
          { cause: error },
        );
      }
    },
    shown: async ({ mint, ...subscription }, call) =>
      `${details(call.terminal, briefly(subscription))}
A month later, with every charge on the way:
  ${nextCommand(call)} local time +30d
Let a charge fail:
  ${nextCommand(call)} local empty ${subscription.wallet}${await mintOption(call, mint)}
`,
  });
  addManaged(group, {
    usage: 'cancel <subscription>',
    about: 'Cancel a subscription as its wallet would, or resume it with --undo.',
    example: 'subrail local cancel sub_… --wallet wallet.json',
    ofProject: false,
    options: { ...UNDO, ...PROJECT_OPTION, ...WALLET_OPTION, ...RPC_OPTION },
    async run({ terminal, manager, opened, operands: [id = ''], options }) {
      const { openSandbox, openWallet, changeAsWallet, shopWithSubscription } = await sandbox();
      const rpc = await openSandbox(opened, options.rpc);
      const wallet = await openWallet(options.wallet, opened, terminal.folder);
      const project = options.project ?? terminal.environment['SUBRAIL_PROJECT'];
      const shop = project === undefined ? await shopWithSubscription(manager, id) : manager.project(project);
      return changeAsWallet(shop, rpc, wallet, { id, action: options.undo === true ? 'resume' : 'cancel' });
    },
    shown: (subscription, { terminal }) => details(terminal, briefly(subscription)),
  });
}

const PROJECT_OPTION = {
  project: text('id', 'the project; or SUBRAIL_PROJECT. Without it the one that has it'),
};

/** The option that names a token to the next command; empty for the demo token, which is the default. */
async function mintOption(
  { opened: { config } }: Pick<ManagedCall<Options>, 'opened'>,
  mint: string,
): Promise<string> {
  const { readDemoMint } = await sandbox();
  const isDemo = config !== null && mint === (await readDemoMint(config.dataDir));
  return isDemo ? '' : ` --mint ${mint}`;
}

/** The shown fields of a subscription. */
function briefly({ id, ...subscription }: SubscriptionWire): object {
  const { plan, wallet, status, access, access_until, next_charge_at, external_id } = subscription;
  return { subscription: id, plan, wallet, external_id, status, access, access_until, next_charge_at };
}

type Played<Declared extends Options> = Pick<ManagedCall<Declared>, 'opened' | 'options'>;

/** A wallet, and the token that it has. */
async function holding({ opened, options }: Played<typeof MINT_OPTION & typeof RPC_OPTION>, wallet: string) {
  const { openSandbox, findToken, readAddress, ...functions } = await sandbox();
  const rpc = await openSandbox(opened, options.rpc);
  const owner = readAddress(wallet);
  return { ...functions, rpc, owner, token: await findToken(rpc, opened, options.mint) };
}

/** Gives a wallet tokens and SOL, and returns its balances. */
async function fund({ opened, options }: Played<typeof FUNDS & typeof RPC_OPTION>, wallet: string) {
  const { readAmount, giveSol } = await sandbox();
  const held = await holding({ opened, options }, wallet);
  const { rpc, token, owner, balanceOf, setTokenAccount } = held;
  const added = readAmount('--tokens', options.tokens ?? '100', token.decimals);
  const lamports = readAmount('--sol', options.sol ?? '1', SOL.decimals);
  await giveSol(rpc, owner, lamports);
  const amount = ((await balanceOf(rpc, token, owner)) ?? 0n) + added;
  await setTokenAccount(rpc, token, owner, { amount });
  const { value: balance } = await rpc.getBalance(owner).send();
  return { wallet, tokens: formatAmount(amount, token), sol: formatAmount(balance, SOL), mint: token.mint };
}
