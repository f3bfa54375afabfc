import { ResealedSecrets } from '../../contract/management.js';
import { operation } from '../operation.js';
import { resealSecrets } from './reseal-secrets.js';

/** The stored signing secrets, of all projects. */
export const secretOperations = [
  operation({
    name: 'secrets.reseal',
    scope: 'management',
    method: 'POST',
    path: '/manage/v1/secrets/reseal',
    input: null,
    output: ResealedSecrets,
    status: 200,
    notFound: null,
    errors: [],
    summary: 'Seals every stored signing secret with the newest sealing key.',
    run: ({ service }) => resealSecrets(service),
  }),
] as const;
