import { resolve } from 'node:path';
import { shellWord } from '@subrail/adapters/node';
import { TierName } from '@subrail/core/schemas';
import { addGroup, type Group } from '../command-tree.js';
import { addManaged } from '../managed.js';
import { readPicture } from '../picture.js';
import { details } from '../table.js';
import { oneOf, textOrNone, text, wholeOrNone } from '../option.js';

const COLUMNS = ['id', 'name', 'network', 'tier', 'created_at'] as const;

/** `subrail project`. */
export function addProjectCommands(root: Group): void {
  const group = addGroup(root, 'project', 'Projects: each has its own keys, plans, customers and endpoints.');
  addManaged(group, {
    usage: 'create <name>',
    about: 'Create a project.',
    example: 'subrail project create "My shop"',
    operations: ['projects.create'],
    ofProject: false,
    options: {
      tier: oneOf(TierName.options, 'business without it'),
      logo_url: text('url', 'an https address of its logo, for programs; "project look" has that of pages'),
      cancel_url: text('url', 'an https address where customers cancel'),
    },
    run: ({ manager, operands: [name = ''], options }) => manager.projects.create({ name, ...options }),
  });
  addManaged(group, {
    usage: 'list',
    about: 'List every project.',
    example: 'subrail project list',
    operations: ['projects.list'],
    ofProject: false,
    run: ({ manager }) => manager.projects.list(),
    shown: COLUMNS,
  });
  addManaged(group, {
    usage: 'show [id]',
    about: 'Show a project.',
    example: 'subrail project show',
    operations: ['projects.detail'],
    run: async ({ operands: [id = ''], project }) => (await project(id)).detail(),
  });
  addManaged(group, {
    usage: 'update [id]',
    about: 'Change a project. What is not given stays as it is.',
    example: 'subrail project update --tier dev --subscriber-limit 500',
    operations: ['projects.update'],
    options: {
      name: text('name', 'what customers see'),
      tier: oneOf(TierName.options, 'what the project may use'),
      logo_url: textOrNone(
        'url',
        'an https address of its logo, for programs; "project look" has that of pages',
      ),
      cancel_url: textOrNone('url', 'an https address where customers cancel'),
      subscriber_limit: wholeOrNone('count', 'its own limit of seats'),
      published_plans_limit: wholeOrNone('count', 'its own limit of published plans'),
    },
    run: async ({ project, operands: [id = ''], options }) => (await project(id)).update(options),
    next: (_, { operands, options }) => (options.name === undefined ? null : linksOf(operands)),
  });
  addManaged(group, {
    usage: 'look [id]',
    about: "Show or change how the pages of a project's customers look.",
    example: "subrail project look --accent '#0a7d5a' --logo logo.png",
    operations: ['projects.look', 'projects.updateLook'],
    options: {
      accent: textOrNone('colour', 'the colour of buttons and marks, such as #0a7d5a'),
      logo: textOrNone(
        'file',
        'a PNG, JPEG, WebP or SVG picture of at most 12 kB, for pages; "project update --logo-url" has that for programs',
      ),
    },
    run: async ({ project, terminal, operands: [id = ''], options: { accent, logo } }) => {
      const shop = await project(id);
      if (accent === undefined && logo === undefined) return shop.look();
      return shop.updateLook({
        ...(accent === undefined ? {} : { accent }),
        ...(logo === undefined
          ? {}
          : { logo: logo === null ? null : await readPicture(resolve(terminal.folder, logo)) }),
      });
    },
    shown: ({ accent, logo }, { terminal }) => {
      const picture = logo === null ? null : logo.slice('data:'.length, logo.indexOf(';'));
      const worn =
        accent === null && picture === null
          ? 'The checkout and the portal look as they do without one.'
          : 'The checkout and the portal wear it: open a link to see it.';
      return `${details(terminal, { accent, logo: picture })}\n${worn}\n`;
    },
    next: (_, { operands }) => linksOf(operands),
  });
  addManaged(group, {
    usage: 'seller [id]',
    about: 'Show or change who sells for a project, as its receipts say.',
    example: "subrail project seller --legal-name 'Night Owl GmbH' --address 'Gasse 1, 1010 Wien'",
    operations: ['projects.seller', 'projects.updateSeller'],
    options: {
      legal_name: textOrNone('name', 'the legal name'),
      address: textOrNone('lines', 'the address, with commas between its lines'),
      tax_id: textOrNone('id', 'the tax id, such as a VAT number'),
      receipt_prefix: textOrNone('prefix', 'what stands before the numbers of later receipts, such as NIGHT'),
    },
    run: async ({ project, operands: [id = ''], options }) => {
      const shop = await project(id);
      if (Object.values(options).every((value) => value === undefined)) return shop.seller();
      const { address, ...changes } = options;
      const lines = address === null ? [] : address?.split(',').map((line) => line.trim());
      return shop.updateSeller({ ...changes, address: lines });
    },
  });
  addManaged(group, {
    usage: 'delete <id>',
    about: 'Delete a project that never had a plan or an endpoint, with its keys.',
    example: 'subrail project delete proj_… --yes',
    operations: ['projects.delete'],
    ofProject: false,
    question: ([id]) => `Delete the project ${id} with its keys?`,
    run: ({ manager, operands: [id = ''] }) => manager.project(id).delete(),
  });
}

/** The command that lists the links of a project, whose pages show how it is named and looks. */
function linksOf([id = '']: readonly string[]): string {
  return id === '' ? 'link list' : `link list --project ${shellWord(id)}`;
}
