import { addGroup, type Group } from '../command-tree.js';
import { addManaged } from '../managed.js';
import { text } from '../option.js';
import { PAGE_OPTIONS } from './paging.js';

const COLUMNS = ['id', 'plan', 'status', 'external_id', 'wallet', 'access', 'next_charge_at'] as const;

/** `subrail subscription`. */
export function addSubscriptionCommands(root: Group): void {
  const group = addGroup(root, 'subscription', 'Subscriptions: find them, see what happened, charge again.');
  addManaged(group, {
    usage: 'list',
    about: 'List the subscriptions of one customer, who is named by one of wallet, external id and email.',
    example: 'subrail subscription list --external-id customer-42',
    operations: ['subscriptions.list'],
    options: {
      wallet: text('address', 'the wallet of the customer'),
      external_id: text('id', 'the customer as the app names it'),
      email: text('email', 'the email address of the customer'),
      plan: text('slug', 'only those of this plan'),
      ...PAGE_OPTIONS,
    },
    run: async ({ project, options: { wallet, external_id, email, plan, limit, starting_after } }) =>
      (await project()).subscriptions.list({ wallet, external_id, email, plan, limit, starting_after }),
    shown: COLUMNS,
  });
  addManaged(group, {
    usage: 'show <id>',
    about: 'Show a subscription.',
    example: 'subrail subscription show sub_…',
    operations: ['subscriptions.retrieve'],
    run: async ({ project, operands: [id = ''] }) => (await project()).subscriptions.retrieve(id),
  });
  addManaged(group, {
    usage: 'attempts <id>',
    about: 'List the attempts to charge a subscription, newest first.',
    example: 'subrail subscription attempts sub_…',
    operations: ['subscriptions.attempts'],
    options: PAGE_OPTIONS,
    run: async ({ project, operands: [id = ''], options: { limit, starting_after } }) =>
      (await project()).subscriptions.attempts(id, { limit, starting_after }),
    shown: ['id', 'attempted_at', 'outcome', 'reason'],
  });
  addManaged(group, {
    usage: 'retry <id>',
    about: 'Charge a subscription that is late now.',
    example: 'subrail subscription retry sub_…',
    operations: ['subscriptions.retry'],
    run: async ({ project, operands: [id = ''] }) => (await project()).subscriptions.retry(id),
  });
}
