import type { ManagedProject } from '@subrail/core/schemas';

/** The texts of the settings of a project. */
export const projectWords = {
  name: 'Name',
  tier: 'Tier',
  tiers: { free: 'Free', dev: 'Dev', business: 'Business' } satisfies Record<ManagedProject['tier'], string>,
  seats: 'Most subscribers',
  plans: 'Most published plans',
  noLimit: 'no limit',
  cancelUrl: 'Cancel page',
  logoUrl: 'Picture for programs',
  accent: 'Colour of the pages',
  logo: 'Picture on the pages',
  hasLogo: 'there is one',
  logos: { keep: 'Keep it', remove: 'Remove it' },
  id: 'Project',
  change: 'Change the project',
  changeAsk:
    'Another tier or fewer seats park those who were confirmed last, at once; more seats bring them back.',
  limitHint: 'A number of its own. Empty: that of the tier.',
  https: 'An https address, or empty.',
  changeLook: 'Change the look',
  lookAsk: 'The checkout and the portal wear it once they are loaded again. A picture is set by the command.',
  accentHint: 'A colour such as #0a7d5a. Empty: that of the pages.',
  seller: 'Seller on receipts',
  legalName: 'Legal name',
  legalNameHint: 'Empty: the name of the project.',
  address: 'Address',
  addressHint: 'At most 6 lines.',
  taxId: 'Tax ID',
  prefix: 'Before the numbers of receipts',
  prefixHint: 'Capital letters, digits and hyphens, such as NIGHT. It counts for later payments.',
  changeSeller: 'Change the seller',
  sellerAsk: 'Every receipt shows the name, the address and the tax ID as they are when it is opened.',
  save: 'Save',
  changed: 'The project is changed.',
  remove: 'Delete the project',
  removeAsk: (name: string) =>
    `${name} is deleted with its API keys. That works only if it never had a plan or an endpoint.`,
  examine: 'Examine the records',
  examineAbout:
    'Looks for what should be impossible, over what is stored and on the chain. It changes nothing.',
  begin: 'Examine',
  again: 'Examine again',
  goOn: 'Examine further',
  examined: (count: number, isAll: boolean) =>
    `${count.toLocaleString('en')} ${count === 1 ? 'subscription is' : 'subscriptions are'} examined${isAll ? ', which are all' : ''}.`,
  notCompared: (count: number) =>
    `${count.toLocaleString('en')} of them could not be compared with the chain, because it did not answer.`,
  findings: 'Findings',
  noFindings: 'Nothing was found.',
  notes: 'Worth a look',
  what: 'What',
  remedy: 'What to do',
  rows: 'Rows',
  figures: 'Count the figures anew',
  figuresAbout:
    'Figures are counted as things happen. Count them anew when an alert or an error says that some cannot be read.',
  recount: 'Count anew',
  recountAsk:
    'Every day is counted from the records, and replaced where it differs. Hosts may run meanwhile.',
  recounted: (days: number) =>
    days === 0
      ? 'The figures are counted anew: no day differed.'
      : `The figures are counted anew. Days that differed: ${days}.`,
};
