import { addGroup, type Group } from '../command-tree.js';
import { addManaged } from '../managed.js';
import { duration, flag, list, required, text } from '../option.js';
import { details } from '../table.js';

/** The options of every page to which a customer is sent. */
export const PAGE_OF_CUSTOMER = {
  locale: text('language', "the language of the page, such as en; that of the customer's browser without it"),
  expires_in: duration('time', 'how long the page can be used, such as 2h'),
};

/** The typed time, which is in minutes, as the service takes it. */
export const inSeconds = (minutes: number | undefined) => (minutes === undefined ? undefined : minutes * 60);

/** `subrail checkout`. */
export function addCheckoutCommands(root: Group): void {
  const group = addGroup(root, 'checkout', 'Checkouts: pages on which one customer subscribes.');
  addManaged(group, {
    usage: 'create',
    about:
      'Create a checkout, and print the address to which the customer goes. It is shown only now. It can be used for a day, or for the time of --expires-in: 5m to 7d.',
    example: 'subrail checkout create --plan pro --external-id customer-42',
    operations: ['checkouts.create'],
    options: {
      plan: required(list('slugs', 'the plan, or those to choose from with commas between')),
      external_id: text('id', 'the customer as the app names it; without it and --email, whoever pays'),
      email: text('email', 'the email address of the customer'),
      ask_email: flag('ask a customer without an email address for one'),
      success_url: text('url', 'where the page goes after the payment'),
      cancel_url: text('url', 'where the page leads back to'),
      ...PAGE_OF_CUSTOMER,
    },
    run: async ({ project, options: { plan: plans, expires_in, ...options } }) =>
      (await project()).checkouts.create({ ...options, plans, expires_in: inSeconds(expires_in) }),
  });
  addManaged(group, {
    usage: 'show <id>',
    about: 'Show a checkout: whether it is open, complete or expired, and the subscription that came of it.',
    example: 'subrail checkout show chk_…',
    operations: ['checkouts.retrieve'],
    run: async ({ project, operands: [id = ''] }) => (await project()).checkouts.retrieve(id),
    shown: ({ subscription, ...checkout }, { terminal }) =>
      details(terminal, {
        ...checkout,
        subscription: subscription === null ? null : `${subscription.id} (${subscription.status})`,
      }),
  });
}
