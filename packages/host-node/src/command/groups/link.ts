import { addGroup, type Group } from '../command-tree.js';
import { CommandFailed, isRefusal } from '../errors.js';
import { addManaged, nextLine } from '../managed.js';
import { flag, required, text } from '../option.js';
import { details } from '../table.js';

/** `subrail link`. */
export function addLinkCommands(root: Group): void {
  const group = addGroup(
    root,
    'link',
    'Plan links: addresses that open a checkout for whoever follows them.',
  );
  addManaged(group, {
    usage: 'create',
    about: 'Create a permanent address that opens a new checkout of a plan for each visit.',
    example: 'subrail link create --plan weekly --ask-email',
    operations: ['links.create'],
    options: {
      plan: required(text('slug', 'the plan')),
      replaces: text('slug', 'the plan from which customers change, for a change with one signature'),
      ask_email: flag('ask the customer for an email address'),
      success_url: text('url', 'where the page goes after the payment'),
    },
    async run(call) {
      const { project, options } = call;
      try {
        return await (await project()).links.create(options);
      } catch (error) {
        if (!isRefusal(error) || error.code !== 'plan_not_on_chain') throw error;
        const next = nextLine(call, `plan publish ${options.plan}`);
        throw new CommandFailed(`${error.message} (${error.code})\n${next}`, { cause: error });
      }
    },
    shown: (link, { terminal }) =>
      `${details(terminal, link)}\n${
        link.replaces === null
          ? 'Everybody who opens the address can subscribe.'
          : `Everybody who pays for ${link.replaces} can change by it.`
      }\n`,
    next: ({ plan }) => `subscription search --plan ${plan}`,
  });
  addManaged(group, {
    usage: 'list',
    about: 'List the plan links of a project, newest first, ended ones too.',
    example: 'subrail link list',
    operations: ['links.list'],
    run: async ({ project }) => (await project()).links.list(),
    shown: ['id', 'plan', 'replaces', 'url', 'ask_email', 'created_at', 'ended_at'],
  });
  addManaged(group, {
    usage: 'end <id>',
    about: 'End a plan link. Checkouts that it opened go on.',
    example: 'subrail link end lnk_… --yes',
    operations: ['links.end'],
    question: ([id]) => `End ${id}? Whoever follows it from then on is told that it was ended.`,
    run: async ({ project, operands: [id = ''] }) => (await project()).links.end(id),
  });
}
