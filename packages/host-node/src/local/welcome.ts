import { shellWord } from '@subrail/adapters/node';
import type { DemoProject } from './demo-project.js';

export interface WelcomeDetails {
  readonly url: string;
  readonly rpcUrl: string;
  readonly webSocketUrl: string;
  readonly dataDir: string;
  /** The name of the database; null for the one in the data folder. */
  readonly database: string | null;
  readonly wallet: string;
  readonly project: Pick<DemoProject, 'apiKey' | 'plan' | 'checkoutUrl'>;
  /** The address that opens the dashboard once; null when it is not served. */
  readonly dashboardUrl: string | null;
  /** Whether the demo wallet is subscribed: then the next step is shown. */
  readonly subscribed: boolean;
  /** The command as typed in another terminal, such as `subrail`. */
  readonly command: string;
  /** Whether the host runs from source, in the repository: there its commands are npm scripts. */
  readonly fromSource: boolean;
}

/** The receiver is an example of the repository, which no package has. */
const RECEIVE =
  'Receive webhooks: this subscribes the demo wallet if it is not, runs until you stop it, and prints each one that arrives.';

/** The address of a database may have a password, so it is not printed as a part of each command. */
const ELSEWHERE = 'In another terminal, set SUBRAIL_DATABASE as here before you run a command.';

/** The message of a started host. Every indented line can be run as printed. */
export function welcome({
  url,
  rpcUrl,
  webSocketUrl,
  dataDir,
  database,
  wallet,
  project,
  dashboardUrl,
  subscribed,
  command,
  fromSource,
}: WelcomeDetails): string {
  const { apiKey, plan, checkoutUrl } = project;
  const bearer = `-H 'Authorization: Bearer ${apiKey}'`;
  const next = subscribed
    ? `The demo wallet is subscribed. A month later, with the charge on the way:
  ${command} local time +30d

Let the next charge fail, and then "local fund" the wallet, so that a retry wins it back:
  ${command} local empty ${wallet}`
    : `Subscribe the demo wallet, and pay the first month: the whole checkout, signed as the wallet would.
  ${command} local subscribe --plan ${plan.slug}`;
  return `
Subrail runs at   ${url}
API key           ${apiKey}
Checkout at       ${checkoutUrl}  (a demo wallet pays there)
Cancel page at    ${url}/cancel
${dashboardUrl === null ? '' : `Dashboard at      ${dashboardUrl}  (logs you in, once)\n`}Local Solana at   ${rpcUrl}  (notifications: ${webSocketUrl})
State is kept in  ${dataDir}
${database === null ? '' : `Records are in    ${database}\n\n${ELSEWHERE}\n`}
Does the demo wallet have access?
  curl -s ${bearer} '${url}/v1/access?wallet=${wallet}&plan=${plan.slug}'

Which plans are there?
  curl -s ${bearer} '${url}/v1/plans'

${next}
${fromSource ? `\n${RECEIVE}\n  npm run webhooks -- ${[dataDir, url, rpcUrl].map(shellWord).join(' ')}\n` : ''}
\`${fromSource ? 'npm run demo' : `${command} demo`}\` plays the lives of two subscriptions. Ctrl-C stops; the next start continues from here.

`;
}
