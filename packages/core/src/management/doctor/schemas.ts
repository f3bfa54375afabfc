import * as z from 'zod';

import { cursorInput, limitInput } from '../../contract/inputs.js';
import { fields } from '../../contract/requests.js';

/** Something that the doctor found: what should be impossible, or should have been over long ago. */
export const FindingWire = z.strictObject({
  /** The name of the check. */
  check: z.string(),
  /** The ids of the rows that do not fit together. */
  rows: z.array(z.string()).readonly(),
  what: z.string(),
  remedy: z.string(),
});
export type FindingWire = z.infer<typeof FindingWire>;

/** The findings of the doctor in a part of a project. */
export const Examination = z.strictObject({
  /** The number of subscriptions examined. */
  examined: z.int().min(0),
  findings: z.array(FindingWire).readonly(),
  /** Findings that are possible, may be intended, and are worth a look. */
  notes: z.array(FindingWire).readonly(),
  /** The number of subscriptions that were not compared with the chain, because it did not answer. */
  not_compared: z.int().min(0),
  /** `starting_after` of the next part; null when this is the last one. */
  next: z.string().nullable(),
});
export type Examination = z.infer<typeof Examination>;

/** Which part of a project to examine. */
export const ExaminationQuery = fields({
  limit: limitInput(100).describe('How many subscriptions are examined at most, 1 to 100.'),
  starting_after: cursorInput.optional().describe('The `next` of the previous part.'),
});
export type ExaminationQuery = z.infer<typeof ExaminationQuery>;
/** A request for a part of an examination: `limit` is 1 to 100, 100 when absent. */
export type ExaminationQueryInput = z.input<typeof ExaminationQuery>;
