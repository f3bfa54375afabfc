import { ResealedSecrets } from '../plans/schemas.js';
import { operation } from '../../operations/operation.js';
import { resealSecrets } from './reseal-secrets.js';

export const secretOperations = {
  /**
   * Seals every stored signing secret with the newest sealing key, so that the older ones can be left out. Every host must have
   * the newest key before. Hosts may run meanwhile: a secret that is rotated at the same time is left as it is then. Repeat it
   * when it was interrupted, as often as you like.
   *
   * Answers how many endpoints were sealed anew, how many had the newest key already, which have a secret that opens with
   * none of the keys, and which cannot be read from the store. The last two stay as they are, and may need an older key still.
   *
   * @example
   * const { resealed, unchanged, not_opened, unreadable } = await billing.secrets.reseal();
   * console.log(`${resealed} sealed anew, ${unchanged} as they were.`);
   * for (const { project, endpoint } of not_opened) console.log(`Rotate the secret of ${endpoint} of ${project}.`);
   * for (const endpoint of unreadable) console.log(`The row of ${endpoint} is damaged.`);
   */
  reseal: operation<() => Promise<ResealedSecrets>>()({
    method: 'POST',
    path: '/manage/v1/secrets/reseal',
    output: ResealedSecrets,
    summary: 'Seals every stored signing secret with the newest sealing key.',
    run: ({ service }) => resealSecrets(service),
  }),
};
