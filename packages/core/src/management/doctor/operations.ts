import { Examination, ExaminationQuery, type ExaminationQueryInput } from './schemas.js';
import { operation } from '../../operations/operation.js';
import { examine } from './examine.js';

export const doctorOperations = {
  /**
   * Looks for what should be impossible, over everything that is stored of the project and over the chain,
   * `limit` subscriptions (1 to 100, 100 when absent) at a time, newest first. Nothing changes, and hosts may
   * run: their writes meanwhile can make a finding that the next examination does not have. Go on with `next`
   * until it is null.
   *
   * Refuses with `not_found` or `invalid_request`.
   *
   * @example
   * let next: string | null | undefined;
   * do {
   *   const part = await shop.doctor.examine({ starting_after: next ?? undefined });
   *   for (const { check, rows, what, remedy } of part.findings) console.log(check, rows, what, remedy);
   *   next = part.next;
   * } while (next !== null);
   */
  examine: operation<(query?: ExaminationQueryInput) => Promise<Examination>>()({
    method: 'GET',
    path: '/manage/v1/projects/{project}/doctor',
    input: ExaminationQuery.prefault({}),
    output: Examination,
    summary: 'Looks for what should be impossible in a part of a project. It changes nothing.',
    run: ({ service, project, input }) => examine(service, project, input),
  }),
};
