import { addGroup, type Group } from '../command-tree.js';
import { addManaged } from '../managed.js';
import { duration, flag, list, oneOf, required, text, textOrNone, whole } from '../option.js';
import { details } from '../table.js';
import { UsageError } from '../errors.js';
import { addPlanChangeCommands, publishing, SIGN_OPTIONS } from './plan-changes.js';

const COLUMNS = ['slug', 'name', 'status', 'amount_display', 'symbol', 'period_hours', 'ends_at'] as const;

/** `subrail plan`. */
export function addPlanCommands(root: Group): void {
  const group = addGroup(root, 'plan', 'Plans: what a subscriber pays, how often, and to whom.');
  addManaged(group, {
    usage: 'create <slug>',
    about:
      'Create a plan. With --owner-key it is published at once; without, it is a draft that a wallet publishes.',
    example: 'subrail plan create pro --amount 9.99 --every 30d --mint EPjF… --owner-key owner.json',
    operations: ['plans.create', 'plans.publish', 'plans.confirmPublish', 'plans.detail'],
    options: {
      amount: required(text('tokens', 'what a period costs, in whole tokens, such as 9.99')),
      every: required(duration('time', 'how long a period is, such as 30d')),
      mint: text('address', 'the token; on the local chain its demo token without it'),
      decimals: whole('count', 'the decimals of the token; read from the chain without it'),
      owner: text('address', 'the wallet that owns the plan; that of --owner-key without it'),
      name: text('name', 'what customers see; the slug without it'),
      description: text('text', 'a sentence for customers'),
      website: text('url', 'an https address about the plan'),
      logo_url: text('url', 'an https address of its logo'),
      destinations: list('addresses', 'the wallets that are paid, with commas between; the owner without it'),
      allow_off_curve_destinations: flag('allow destinations such as the vault of a multisig'),
      ends_at: text('date', 'when the plan ends, such as 2027-01-01T00:00:00Z'),
      retry_attempts: whole('count', 'how often a charge that failed is tried again, 1 to 10'),
      retry_wait: duration('time', 'how long it waits between them, such as 1d'),
      operator_plan: flag("the operator's own plan for its tiers"),
      one_per_customer: flag('refuse a customer who pays for it with another wallet already'),
      ...SIGN_OPTIONS,
    },
    async run({ terminal, project, opened, operands: [slug = ''], options }) {
      const { changeSigned, decimalsOf, defaultMint, ownerKeys } = await import('../plan-owner.js');
      const keys = await ownerKeys(options, opened, terminal.folder);
      const owner = options.owner ?? keys.signer?.address;
      if (owner === undefined) throw new UsageError('A plan needs --owner or --owner-key.');
      const mint = options.mint ?? (await defaultMint(opened));
      const decimals = options.decimals ?? (await decimalsOf(keys.rpc, mint));
      const shop = await project();
      const { every, retry_wait, owner_key: _key, rpc: _rpc, ...input } = options;
      const created = await shop.plans.create({
        ...input,
        slug,
        name: options.name ?? slug,
        owner,
        mint,
        decimals,
        amount: inSmallestUnit(options.amount, decimals),
        period_hours: wholeHours(every),
        retry_wait_minutes: retry_wait,
      });
      if (keys.signer === null) return created;
      await changeSigned(publishing(shop, created.slug), keys);
      return shop.plans.detail(created.slug);
    },
    async shown(plan, { terminal, opened }) {
      const shown = details(terminal, plan);
      if (plan.status === 'draft') return `${shown}\nA wallet has to publish it.\n`;
      const { hasTokenAccount } = await import('../plan-owner.js');
      const receiver = plan.destinations[0] ?? plan.owner;
      return (await hasTokenAccount(opened.rpc, receiver, plan.mint)) === true
        ? `${shown}\nWallets can subscribe to it.\n`
        : `${shown}\nWallets can subscribe to it once its receiver ${receiver} has an account for the token.\n`;
    },
    next: ({ slug, status }) => (status === 'draft' ? `plan publish ${slug}` : `link create --plan ${slug}`),
  });
  addManaged(group, {
    usage: 'list',
    about: 'List the plans of a project, drafts and old ones too.',
    example: 'subrail plan list',
    operations: ['plans.all'],
    run: async ({ project }) => (await project()).plans.all(),
    shown: COLUMNS,
  });
  addManaged(group, {
    usage: 'show <slug>',
    about: 'Show a plan, a draft too.',
    example: 'subrail plan show pro',
    operations: ['plans.detail'],
    run: async ({ project, operands: [slug = ''] }) => (await project()).plans.detail(slug),
  });
  addManaged(group, {
    usage: 'update <slug>',
    about: 'Change what customers read of a plan. No transaction is needed.',
    example: 'subrail plan update pro --description "Everything, for teams."',
    operations: ['plans.update'],
    options: {
      name: text('name', 'what customers see; of a draft only'),
      description: textOrNone('text', 'a sentence for customers'),
      website: textOrNone('url', 'an https address about the plan'),
      logo_url: textOrNone('url', 'an https address of its logo'),
      one_per_customer: oneOf(['yes', 'no'], 'whether a customer with two wallets may pay for it once only'),
    },
    async run({ project, operands: [slug = ''], options }) {
      const one = options.one_per_customer;
      const one_per_customer = one === undefined ? undefined : one === 'yes';
      return (await project()).plans.update(slug, { ...options, one_per_customer });
    },
  });
  addManaged(group, {
    usage: 'discard <slug>',
    about: 'Give up a draft that is not on chain. Its slug is free then.',
    example: 'subrail plan discard pro --yes',
    operations: ['plans.discard'],
    question: ([slug]) => `Give up the draft ${slug}?`,
    run: async ({ project, operands: [slug = ''] }) => (await project()).plans.discard(slug),
  });
  addPlanChangeCommands(group);
}

/** Whole tokens in the smallest unit. @throws UsageError when the amount has more digits than the token */
function inSmallestUnit(amount: string, decimals: number): string {
  const [, whole = '', fraction = ''] = /^(\d{1,20})(?:\.(\d+))?$/.exec(amount) ?? [];
  if (whole === '') throw new UsageError(`--amount is "${amount}": it must be a number such as 9.99.`);
  if (fraction.length > decimals) {
    throw new UsageError(`--amount is "${amount}": the token has ${decimals} decimals.`);
  }
  return String(BigInt(whole + fraction.padEnd(decimals, '0')));
}

function wholeHours(minutes: number): number {
  if (minutes % 60 !== 0) throw new UsageError('--every must be whole hours, such as 1h or 30d.');
  return minutes / 60;
}
