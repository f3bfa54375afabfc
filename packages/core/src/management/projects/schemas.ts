import * as z from 'zod';

import { TierName } from '../../contract/enums.js';
import { httpsUrl, lineInput, overlapInput } from '../../contract/inputs.js';
import { ProjectWire } from '../../contract/project.js';
import { fields } from '../../contract/requests.js';
import { isoDate } from '../../contract/scalars.js';

/** A new project. */
export const ProjectInput = z.strictObject({
  name: lineInput(1, 64),
  tier: TierName.default('business'),
  logo_url: httpsUrl.nullable().default(null),
  cancel_url: httpsUrl.nullable().default(null),
});

export type ProjectInput = z.input<typeof ProjectInput>;

/** The largest integer of every store has 32 bits. */
const limitInput = z.int().min(0).max(2_147_483_647);

/** A change of a project. A field that is left out stays as it is. */
export const ProjectUpdate = z.strictObject({
  name: lineInput(1, 64).optional(),
  tier: TierName.optional(),
  logo_url: httpsUrl.nullable().optional(),
  cancel_url: httpsUrl.nullable().optional(),
  /** The project's own limit of seats, in place of its tier's; null for the tier's. */
  subscriber_limit: limitInput.nullable().optional(),
  /** The project's own limit of published plans, in place of its tier's; null for the tier's. */
  published_plans_limit: limitInput.nullable().optional(),
});

export type ProjectUpdate = z.input<typeof ProjectUpdate>;

const Limit = z.int().min(0).nullable();

/** A project as its operator sees it. */
export const ManagedProject = ProjectWire.extend({
  logo_url: z.string().nullable(),
  cancel_url: z.string().nullable(),
  /** The project's own limits, in place of its tier's; null for the tier's. */
  subscriber_limit: Limit,
  published_plans_limit: Limit,
  /** The limits that apply, of the project or of its tier; null without a limit. */
  limits: z.strictObject({ subscribers: Limit, published_plans: Limit }),
});

export type ManagedProject = z.infer<typeof ManagedProject>;

/** The longest picture, which every first view of a page carries. */
const MOST_LOGO_CHARACTERS = 16_384;

const logoInput = z
  .string({ error: 'must be a picture as a data URL' })
  .max(MOST_LOGO_CHARACTERS, {
    error: `must be a picture of at most 12 kB, which is ${MOST_LOGO_CHARACTERS} characters as a data URL`,
  })
  .regex(/^data:image\/(png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/, {
    error: 'must be a PNG, JPEG, WebP or SVG picture, such as data:image/png;base64,…',
  });

const accentInput = z
  .string({ error: 'must be a colour, such as #0a7d5a' })
  .regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a colour, such as #0a7d5a' })
  .toLowerCase();

/** A change of how the pages of a project's customers look. A field that is left out stays as it is. */
export const ProjectLookUpdate = z.strictObject({
  /** The colour of buttons and of marks, such as `#0a7d5a`; null for that of the pages. */
  accent: accentInput.nullable().optional(),
  /** The picture beside the project's name, as a data URL of at most 12 kB; null for none. */
  logo: logoInput.nullable().optional(),
});

export type ProjectLookUpdate = z.input<typeof ProjectLookUpdate>;

/** The look of the pages of a project's customers. */
export const ProjectLookWire = z.strictObject({
  accent: z.string().nullable(),
  logo: z.string().nullable(),
});

export type ProjectLookWire = z.infer<typeof ProjectLookWire>;

/** A change of who sells for a project, as its receipts say. A field that is left out stays as it is. */
export const SellerUpdate = z.strictObject({
  /** The legal name; null for the name of the project. */
  legal_name: lineInput(1, 128).nullable().optional(),
  /** The lines of the address, at most 6; none for no address. */
  address: z.array(lineInput(1, 128)).max(6, { error: 'must be at most 6 lines' }).readonly().optional(),
  /** The tax id, such as a VAT number; null for none. */
  tax_id: lineInput(1, 64).nullable().optional(),
  /** The text before the numbers of later receipts; null for none. */
  receipt_prefix: z
    .string({ error: 'must be a prefix, such as NIGHT' })
    .max(12, { error: 'must be at most 12 characters' })
    .regex(/^[A-Z0-9]+(-[A-Z0-9]+)*$/, {
      error: 'must be capital letters of Latin, digits and hyphens between them, such as NIGHT',
    })
    .nullable()
    .optional(),
});

export type SellerUpdate = z.input<typeof SellerUpdate>;

/** Who sells for a project, as its receipts say. */
export const SellerWire = z.strictObject({
  legal_name: z.string().nullable(),
  address: z.array(z.string()).readonly(),
  tax_id: z.string().nullable(),
  receipt_prefix: z.string().nullable(),
});

export type SellerWire = z.infer<typeof SellerWire>;

/** A new API key. */
export const ApiKeyInput = z.strictObject({
  /** The person or program that uses the key. */
  name: lineInput(1, 64).nullable().default(null),
});

export type ApiKeyInput = z.input<typeof ApiKeyInput>;

/** An API key, without its text. */
export const ApiKeyWire = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  created_at: isoDate,
  /** To the minute. */
  last_used_at: isoDate.nullable(),
  /** When it ends because another key took its place. */
  expires_at: isoDate.nullable(),
  revoked_at: isoDate.nullable(),
});

export type ApiKeyWire = z.infer<typeof ApiKeyWire>;

/** A new API key. Its text is shown only here, because only its hash is stored. */
export const NewApiKey = ApiKeyWire.extend({ key: z.string() });

export type NewApiKey = z.infer<typeof NewApiKey>;

/** The replacement of an API key: the old key works for another `overlap_hours`, 0 to 24. */
export const ApiKeyRotation = fields({ overlap_hours: overlapInput });

export type ApiKeyRotation = z.input<typeof ApiKeyRotation>;
