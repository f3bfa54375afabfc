import { ResealedSecrets } from '../../contract/management.js';
import { operation } from '../operation.js';
import { resealSecrets } from './reseal-secrets.js';

/** The stored signing secrets, of all projects. */
export const secretOperations = [
  operation({
    name: 'secrets.reseal',
    scope: 'management',
    parameters: [],
    input: null,
    output: ResealedSecrets,
    notFound: null,
    errors: [],
    summary: 'Seals every stored signing secret with the newest sealing key.',
    run: ({ service }) => resealSecrets(service),
  }),
] as const;
