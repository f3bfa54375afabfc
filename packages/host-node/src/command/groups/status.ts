import * as z from 'zod';
import { addCommand, type Group } from '../command-tree.js';
import { flag } from '../option.js';
import type { OpenedManager } from '../open-manager.js';
import { PLACE_OPTIONS } from '../place.js';
import { START } from '../sandbox/command-name.js';
import { details } from '../table.js';
import type { Terminal } from '../terminal.js';

/** The read part of `/health`. */
const Health = z.looseObject({
  status: z.string(),
  store: z.string(),
  chain: z.looseObject({ state: z.string() }),
  charger: z.string(),
  charger_account: z
    .looseObject({
      address: z.string(),
      balance_lamports: z.string().nullable(),
      charges: z.string().nullish(),
    })
    .optional(),
  backlog: z
    .looseObject({ charges_overdue_seconds: z.number(), deliveries_overdue_seconds: z.number() })
    .nullish(),
  sealing_key: z.string(),
  worker: z.record(z.string(), z.looseObject({ state: z.string() })),
  // A host of an earlier release says no more than the kind.
  alerts: z.array(z.looseObject({ kind: z.string(), what: z.string().optional() })),
});
type Health = z.infer<typeof Health>;

interface Status {
  readonly url: string | null;
  readonly health: Health | null;
  readonly charger: { readonly address: string; readonly lamports: string | null } | null;
  /** Seconds since the oldest charge and webhook were due; null when the store cannot be read. */
  readonly overdue_seconds: { readonly charges: number; readonly deliveries: number } | null;
  /** A sentence for each problem. */
  readonly problems: readonly string[];
}

/** A charge or a webhook is late when it has been due for longer. */
const LATE_SECONDS = 300;
/** Too little for a transaction to be worth sending. */
const EMPTY_LAMPORTS = 10_000n;
/** The time a host or a chain has to answer. */
const ANSWER_MS = 10_000;

/** `subrail status`: exit code 1 for a problem. */
export function addStatusCommand(root: Group): void {
  addCommand(root, {
    usage: 'status',
    about:
      'Show whether the service runs and what is wrong: the host, the chain, the charger, what is overdue.',
    example: 'subrail status --config subrail.json',
    options: {
      config: PLACE_OPTIONS.config,
      url: PLACE_OPTIONS.url,
      json: flag('print it as JSON, and nothing else'),
    },
    async run({ terminal, options }) {
      const { config, json } = options;
      const url = options.url ?? (config === undefined ? terminal.environment['SUBRAIL_URL'] : undefined);
      const status = url === undefined ? await statusHere(config, terminal) : await statusAt(url, terminal);
      terminal.write(json === true ? `${JSON.stringify(status)}\n` : shown(status, terminal));
      return status.problems.length === 0 ? 0 : 1;
    },
  });
}

async function statusAt(url: string, terminal: Terminal): Promise<Status> {
  const health = await readHealth(url, terminal);
  const { charger_account: account, backlog } = health ?? {};
  const overdue =
    backlog == null
      ? null
      : { charges: backlog.charges_overdue_seconds, deliveries: backlog.deliveries_overdue_seconds };
  return {
    url,
    health,
    charger: account === undefined ? null : { address: account.address, lamports: account.balance_lamports },
    overdue_seconds: overdue,
    problems: [...problemsOf(url, health), ...overdueProblems(overdue)],
  };
}

async function statusHere(config: string | undefined, terminal: Terminal): Promise<Status> {
  const { openManager } = await import('../open-manager.js');
  const opened = await openManager({ kind: 'database', config }, terminal);
  try {
    const { url } = opened;
    const answer = url === null ? null : await readHealth(url, terminal);
    const charger = await readCharger(opened);
    const overdue = (await opened.billing?.metrics())?.overdueSeconds ?? null;
    const answering = answer?.charger_account?.address;
    const isAnother = answering !== undefined && charger !== null && answering !== charger.address;
    const problems = isAnother
      ? [
          `What answers at ${url} is another service: its charger is ${answering}. Start the host of this one: ${START}`,
        ]
      : [...problemsOf(url, answer), ...(url !== null && answer === null ? [ONE_OF_SEVERAL] : [])];
    return {
      url,
      health: isAnother ? null : answer,
      charger,
      overdue_seconds: overdue,
      problems: [...problems, ...chargerProblems(charger), ...overdueProblems(overdue)],
    };
  } finally {
    await opened.close();
  }
}

async function readHealth(url: string, { fetch: send = fetch }: Terminal): Promise<Health | null> {
  try {
    const answer = await send(
      new Request(`${url.replace(/\/+$/, '')}/health`, { signal: AbortSignal.timeout(ANSWER_MS) }),
    );
    return Health.parse(await answer.json());
  } catch {
    return null;
  }
}

async function readCharger({ charger, rpc }: OpenedManager): Promise<Status['charger']> {
  if (charger === null) return null;
  try {
    const balance = await rpc?.getBalance(charger).send({ abortSignal: AbortSignal.timeout(ANSWER_MS) });
    return { address: charger, lamports: balance === undefined ? null : String(balance.value) };
  } catch {
    return { address: charger, lamports: null };
  }
}

/** The data folder notes one host, and several may share its database. */
const ONE_OF_SEVERAL =
  'It is the one that was started last on this data folder. If others serve the database, ask one of them: subrail status --url …';

function problemsOf(url: string | null, health: Health | null): readonly string[] {
  if (url === null) return [`No host runs on this database. Start it: ${START}`];
  if (health === null) return [`No host of Subrail answers at ${url}.`];
  const failing = Object.entries(health.worker).filter(([, { state }]) =>
    ['failing', 'late'].includes(state),
  );
  return [
    ...(health.store === 'ok' ? [] : ['The store is unavailable.']),
    ...(health.chain.state === 'ok' ? [] : [`The chain is ${health.chain.state}.`]),
    ...(['empty', 'low'].includes(health.charger) ? [`The charger is ${health.charger}: send it SOL.`] : []),
    ...(health.sealing_key === 'wrong'
      ? ['The sealing key opens no stored secret: no webhook is signed.']
      : []),
    ...failing.map(([name, { state }]) => `The pass "${name}" of the worker is ${state}.`),
    ...health.alerts.map(({ kind, what }) => `${kind}: ${what ?? 'there is such an alert.'}`),
  ];
}

function chargerProblems(charger: Status['charger']): readonly string[] {
  if (charger === null) return [];
  if (charger.lamports === null)
    return ['The chain cannot be read, so the balance of the charger is not known.'];
  if (BigInt(charger.lamports) >= EMPTY_LAMPORTS) return [];
  return [`The charger ${charger.address} has too little SOL to charge: send it some.`];
}

function overdueProblems(overdue: Status['overdue_seconds']): readonly string[] {
  return Object.entries({ charge: overdue?.charges ?? 0, webhook: overdue?.deliveries ?? 0 })
    .filter(([, seconds]) => seconds > LATE_SECONDS)
    .map(([what, seconds]) => `The oldest ${what} has been due for ${Math.round(seconds / 60)} minutes.`);
}

/** For how many charges the balance of the charger is enough. */
function paysFor(health: Health | null): string | null {
  const charges = health?.charger_account?.charges ?? null;
  return charges === null ? null : `${charges} charges`;
}

function shown({ url, health, charger, overdue_seconds, problems }: Status, terminal: Terminal): string {
  const fields = {
    host: health === null ? 'does not answer' : `${health.status} at ${url}`,
    ...(health === null ? {} : { chain: health.chain.state, sealing_key: health.sealing_key }),
    ...(charger === null ? { charger: health?.charger ?? null } : {}),
    ...(charger === null
      ? {}
      : { charger: charger.address, lamports: charger.lamports, pays_for: paysFor(health) }),
    ...(overdue_seconds === null
      ? {}
      : {
          charges: `due for ${Math.round(overdue_seconds.charges)} seconds`,
          webhooks: `due for ${Math.round(overdue_seconds.deliveries)} seconds`,
        }),
  };
  const list = problems.map((problem) => `  ${problem}\n`).join('');
  return (
    details(terminal, fields) + (problems.length === 0 ? '\nAll is well.\n' : `\nWhat is wrong:\n${list}`)
  );
}
