import type { DemoProject } from './demo-project.js';

export interface WelcomeFacts {
  readonly url: string;
  readonly rpcUrl: string;
  readonly webSocketUrl: string;
  readonly dataDir: string;
  readonly wallet: string;
  readonly world: DemoProject;
}

/** What a developer reads when the host is up. Every `curl` line works as it stands. */
export function welcome({ url, rpcUrl, webSocketUrl, dataDir, wallet, world }: WelcomeFacts): string {
  const { apiKey, plan } = world;
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

Begin a subscription: the terms and the transaction for the wallet to sign.
  curl -s ${bearer} -H 'Content-Type: application/json' -d '${body}' '${url}/v1/subscriptions'

\`npm run demo\` plays a subscription's whole life. Ctrl-C stops; the next start finds everything again.

`;
}
