import { addGroup, type Group } from '../command-tree.js';
import { addManaged } from '../managed.js';
import { list, text } from '../option.js';
import { inSeconds, PAGE_OF_CUSTOMER } from './checkout.js';

/** `subrail portal`. */
export function addPortalCommands(root: Group): void {
  const group = addGroup(root, 'portal', 'The portal: a page on which one customer manages subscriptions.');
  addManaged(group, {
    usage: 'create',
    about:
      'Create a portal of a customer, who is named by one of external id, email and a subscription, and print its address. It is shown only now. It can be used for an hour, or for the time of --expires-in: 5m to 7d.',
    example: 'subrail portal create --external-id customer-42',
    operations: ['portal.create'],
    options: {
      external_id: text('id', 'the customer as the app names it'),
      email: text('email', 'the email address of the customer'),
      subscription: text('id', 'a subscription of the customer'),
      plans: list('slugs', 'the plans to which the customer can change, with commas between'),
      return_url: text('url', 'where the page leads back to'),
      ...PAGE_OF_CUSTOMER,
    },
    run: async ({ project, options: { expires_in, ...options } }) =>
      (await project()).portal.create({ ...options, expires_in: inSeconds(expires_in) }),
  });
}
