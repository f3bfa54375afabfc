import type { DemoProject } from './demo-project.js';

/** What the welcome message shows. */
export interface WelcomeDetails {
  readonly url: string;
  readonly rpcUrl: string;
  readonly webSocketUrl: string;
  readonly dataDir: string;
  readonly wallet: string;
  readonly project: DemoProject;
  /** Whether the host runs from source, in the repository: there its commands are npm scripts. */
  readonly fromSource: boolean;
}

/** The receiver is an example of the repository, which no package has. */
const RECEIVE = 'Receive webhooks: this runs until you stop it, and prints each one that arrives.';

/** The message that a developer reads when the host has started. Every indented line in it can be run as printed. */
export function welcome({
  url,
  rpcUrl,
  webSocketUrl,
  dataDir,
  wallet,
  project,
  fromSource,
}: WelcomeDetails): string {
  const { apiKey, plan } = project;
  const bearer = `-H 'Authorization: Bearer ${apiKey}'`;
  const body = JSON.stringify({ plan: plan.slug, wallet });
  return `
Subrail runs at   ${url}
API key           ${apiKey}
Local Solana at   ${rpcUrl}  (notifications: ${webSocketUrl})
State is kept in  ${dataDir}

Does the demo wallet have access?
  curl -s ${bearer} '${url}/v1/access?wallet=${wallet}&plan=${plan.slug}'

Which plans are there?
  curl -s ${bearer} '${url}/v1/plans'

Begin a subscription: get the terms and the transaction for the wallet to sign.
  curl -s ${bearer} -H 'Content-Type: application/json' -d '${body}' '${url}/v1/subscriptions'
${fromSource ? `\n${RECEIVE}\n  npm run webhooks -- '${dataDir}' '${url}' '${rpcUrl}'\n` : ''}
\`${fromSource ? 'npm run demo' : 'npx subrail demo'}\` plays the lives of two subscriptions. Ctrl-C stops; the next start continues from here.

`;
}
