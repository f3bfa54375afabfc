import type { ProjectBilling } from '@subrail/core';
import type { BuildAnswer, ManagedPlan } from '@subrail/core/schemas';
import type { Group } from '../command-tree.js';
import { addManaged, type ManagedCall } from '../managed.js';
import { flag, list, oneOf, required, text, type Option } from '../option.js';
import type { SignedChange } from '../plan-owner.js';
import { details } from '../table.js';
import type { Terminal } from '../terminal.js';

export const SIGN_OPTIONS = {
  owner_key: text('file', 'the key file of the owner, which signs at once; without it a wallet has to'),
  rpc: text('url', 'the RPC server to send to; that of the configuration without it'),
};

/** Publishes a draft. */
export function publishing({ plans }: ProjectBilling, slug: string): SignedChange {
  return { build: () => plans.publish(slug), confirm: () => plans.confirmPublish(slug) };
}

/** The changes of a plan that its owner signs, each with the command that confirms a wallet's transaction. */
export function addPlanChangeCommands(group: Group): void {
  addManaged(group, {
    usage: 'publish <slug>',
    about: 'Publish a draft. Without --owner-key it prints the transaction for the wallet of the owner.',
    example: 'subrail plan publish pro --owner-key owner.json',
    operations: ['plans.publish', 'plans.confirmPublish'],
    options: SIGN_OPTIONS,
    run: (call) => changed(call, (shop, slug) => publishing(shop, slug)),
    shown: shownChange('confirm'),
  });
  addManaged(group, {
    usage: 'submit <slug>',
    about: 'Send a transaction of a plan that a wallet signed and did not send. Confirm it next.',
    example: 'subrail plan submit pro --transaction AVq3…',
    operations: ['plans.submit'],
    options: { transaction: required(text('base64', 'the signed transaction')) },
    run: async ({ project, operands: [slug = ''], options }) => (await project()).plans.submit(slug, options),
  });
  addManaged(group, {
    usage: 'confirm <slug>',
    about: 'Finish publishing a draft whose transaction a wallet has sent.',
    example: 'subrail plan confirm pro',
    operations: ['plans.confirmPublish'],
    run: async ({ project, operands: [slug = ''] }) => (await project()).plans.confirmPublish(slug),
  });
  addManaged(group, {
    usage: 'sunset <slug>',
    about: 'Take no new subscriber any more, for good. A plan without an end needs --ends-at.',
    example: 'subrail plan sunset pro --ends-at 2027-06-30T00:00:00Z --owner-key owner.json',
    operations: ['plans.sunset', 'plans.confirmUpdate'],
    options: { ends_at: text('date', 'when it ends, such as 2027-06-30T00:00:00Z'), ...SIGN_OPTIONS },
    question: ([slug]) => `Take no new subscriber to ${slug} any more? That is for good.`,
    run: (call) =>
      changed(call, ({ plans }, slug) => ({
        build: () => plans.sunset(slug, { ends_at: call.options.ends_at }),
        confirm: () => plans.confirmUpdate(slug, { status: 'sunset' }),
      })),
    shown: shownChange('confirm-update --status sunset'),
  });
  addManaged(group, {
    usage: 'shorten <slug>',
    about: 'Give a plan an end, or an earlier one.',
    example: 'subrail plan shorten pro --ends-at 2027-06-30T00:00:00Z --owner-key owner.json',
    operations: ['plans.shorten', 'plans.confirmUpdate'],
    options: {
      ends_at: required(text('date', 'when it ends, such as 2027-06-30T00:00:00Z')),
      ...SIGN_OPTIONS,
    },
    question: ([slug]) => `End ${slug} then? An end is never removed or moved later.`,
    run: (call) => {
      const { ends_at } = call.options;
      return changed(call, ({ plans }, slug) => ({
        build: () => plans.shorten(slug, { ends_at }),
        confirm: () => plans.confirmUpdate(slug, { ends_at }),
      }));
    },
    shown: shownChange('confirm-update'),
  });
  addManaged(group, {
    usage: 'pullers <slug>',
    about: 'Replace the wallets that may charge a plan besides its owner.',
    example: 'subrail plan pullers pro --wallets 7v91… --owner-key owner.json',
    operations: ['plans.changePullers', 'plans.confirmUpdate'],
    options: {
      wallets: required(list('addresses', 'all of them, with commas between')),
      without_charger: flag('leave out the charger of the service, after which nothing is charged'),
      ...SIGN_OPTIONS,
    },
    run: (call) => {
      const { wallets, without_charger } = call.options;
      const pullers = [...wallets];
      return changed(call, ({ plans }, slug) => ({
        build: () => plans.changePullers(slug, { pullers, without_charger }),
        confirm: () => plans.confirmUpdate(slug, { pullers }),
      }));
    },
    shown: shownChange('confirm-update'),
  });
  addManaged(group, {
    usage: 'confirm-update <slug>',
    about: 'Follow a plan to what the chain shows, once a wallet has sent a change.',
    example: 'subrail plan confirm-update pro --status sunset',
    operations: ['plans.confirmUpdate'],
    options: {
      status: oneOf(['active', 'sunset'], 'refuse, unless the chain shows this'),
      ends_at: text('date', 'refuse, unless the plan ends then'),
    },
    run: async ({ project, operands: [slug = ''], options }) =>
      (await project()).plans.confirmUpdate(slug, options),
  });
  addManaged(group, {
    usage: 'delete <slug>',
    about: 'Delete a plan from the chain after its end.',
    example: 'subrail plan delete pro --owner-key owner.json --yes',
    operations: ['plans.delete', 'plans.confirmDelete'],
    options: SIGN_OPTIONS,
    question: ([slug]) => `Delete the plan ${slug} from the chain?`,
    run: (call) =>
      changed(call, ({ plans }, slug) => ({
        build: () => plans.delete(slug),
        confirm: () => plans.confirmDelete(slug),
      })),
    shown: shownChange('confirm-delete'),
  });
  addManaged(group, {
    usage: 'confirm-delete <slug>',
    about: 'Note that a plan is deleted, once a wallet has sent the transaction.',
    example: 'subrail plan confirm-delete pro',
    operations: ['plans.confirmDelete'],
    run: async ({ project, operands: [slug = ''] }) => (await project()).plans.confirmDelete(slug),
  });
}

type SignCall = ManagedCall<Readonly<Record<keyof typeof SIGN_OPTIONS, Option<string | undefined>>>>;

/** Changes the plan of the command. */
async function changed(
  { terminal, project, opened, operands: [slug = ''], options }: SignCall,
  changeOf: (shop: ProjectBilling, slug: string) => SignedChange,
): Promise<BuildAnswer | ManagedPlan> {
  const { changeSigned, ownerKeys } = await import('../plan-owner.js');
  const keys = await ownerKeys(options, opened, terminal.folder);
  return changeSigned(changeOf(await project(), slug), keys);
}

/** Shows the changed plan, or the transaction for a wallet with the command that confirms it. */
function shownChange(confirm: string) {
  const [name = '', ...options] = confirm.split(' ');
  return (
    result: BuildAnswer | ManagedPlan,
    {
      terminal,
      operands: [slug = ''],
    }: { readonly terminal: Terminal; readonly operands: readonly string[] },
  ): string => {
    if (!('transaction' in result)) return details(terminal, result);
    const next = ['subrail plan', name, slug, ...options].join(' ');
    return `${result.transaction}\n\nThe owner's wallet signs and sends this until ${result.transaction_expires_at}. Then run: ${next}\n`;
  };
}
