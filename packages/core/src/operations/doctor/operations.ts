import { Examination, ExaminationQuery } from '../../contract/examination.js';
import { operation } from '../operation.js';
import { examine } from './examine.js';

/** The doctor: what should be impossible, looked for in what is stored and on chain. */
export const doctorOperations = [
  operation({
    name: 'doctor.examine',
    scope: 'management',
    method: 'GET',
    path: '/manage/v1/projects/{project}/doctor',
    input: ExaminationQuery.prefault({}),
    output: Examination,
    status: 200,
    notFound: null,
    errors: [],
    summary: 'Looks for what should be impossible in a part of a project. It changes nothing.',
    run: ({ service, project, input }) => examine(service, project, input),
  }),
] as const;
