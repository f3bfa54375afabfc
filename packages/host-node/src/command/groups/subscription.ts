import type { ProjectBilling } from '@subrail/core';
import {
  type AttemptWire,
  type CannotPayPage,
  type Explanation,
  type FailingPage,
  type SubscriptionCount,
  type SubscriptionDetail,
  SubscriptionStatus,
  type SubscriptionWire,
} from '@subrail/core/schemas';
import { inTokens } from '../../demo/format-amount.js';
import { addGroup, type Group } from '../command-tree.js';
import { addManaged, listed, PAGE_OPTIONS } from '../managed.js';
import { UsageError } from '../errors.js';
import { flag, oneOf, text, textOrNone, whole } from '../option.js';
import { details, rowsTable } from '../table.js';
import type { Terminal } from '../terminal.js';

/** The columns of subscriptions. `until` is when access ends, `next` the next charge or retry. */
const COLUMNS = ['id', 'plan', 'status', 'external_id', 'email', 'wallet', 'access', 'until', 'next', 'why'];
const CUSTOMER_OPTIONS = {
  wallet: text('address', 'the wallet of the customer'),
  external_id: text('id', 'the customer as the app names it'),
  email: text('email', 'the email address of the customer'),
};

/** `subrail subscription`. */
export function addSubscriptionCommands(root: Group): void {
  const group = addGroup(root, 'subscription', 'Subscriptions: find them, see what happened, charge again.');
  addManaged(group, {
    usage: 'list',
    about: 'List the subscriptions of one customer, who is named by one of wallet, external id and email.',
    example: 'subrail subscription list --external-id customer-42',
    operations: ['subscriptions.list'],
    options: {
      ...CUSTOMER_OPTIONS,
      plan: text('slug', 'only those of this plan'),
      ...PAGE_OPTIONS,
    },
    // The service says so when the customer is named twice, or not at all.
    run: async ({ project, options }) =>
      (await project()).subscriptions.list(options as Parameters<ProjectBilling['subscriptions']['list']>[0]),
    shown: (page, { terminal }) => listed(terminal, COLUMNS, page, rowOf),
  });
  addManaged(group, {
    usage: 'search',
    about:
      'Find subscriptions of the whole project, newest first: those that fit all that is given; or with --cannot-pay, by a read of the chain, those whose next charge would fail, soonest first.',
    example: 'subrail subscription search --plan pro --late',
    operations: ['subscriptions.search', 'subscriptions.count', 'subscriptions.cannotPay'],
    options: {
      id: text('id', 'its id, or the address of its account on chain'),
      ...CUSTOMER_OPTIONS,
      plan: text('slug', 'only those of this plan'),
      status: oneOf(SubscriptionStatus.options, 'only those in this state'),
      late: flag('only those that are late'),
      blocked: flag('only those that are blocked'),
      ending: flag('only those that are cancelled and not over yet, or whose plan ends'),
      count: flag('only count them, and sum up their next charges'),
      cannot_pay: flag('those whose next charge would fail, with why and what to do; only --plan narrows it'),
      days: whole('count', 'with --cannot-pay, only those charged within so many days, 1 to 90'),
      ...PAGE_OPTIONS,
    },
    async run({ project, options: { count, cannot_pay, days, limit, starting_after, ...filter } }) {
      const { subscriptions } = await project();
      if (cannot_pay === true) {
        const { plan, ...others } = filter;
        if (count !== undefined || Object.values(others).some((other) => other !== undefined))
          throw new UsageError('--cannot-pay is narrowed by --plan and --days, and by nothing else.');
        return subscriptions.cannotPay({ plan, days, limit, starting_after });
      }
      if (days !== undefined) throw new UsageError('--days needs --cannot-pay.');
      if (count === undefined) return subscriptions.search({ ...filter, limit, starting_after });
      if ((limit ?? starting_after) !== undefined)
        throw new UsageError('--limit and --starting-after are not for --count, which has no pages.');
      return subscriptions.count(filter);
    },
    shown(result, { terminal }) {
      if ('count' in result) return showCount(result);
      return isOfUnpayable(result)
        ? listed(terminal, CANNOT_PAY, result, cannotPayRow)
        : listed(terminal, COLUMNS, result, rowOf);
    },
    next(result, { options: { late } }) {
      if ('count' in result) return null;
      const [first] = isOfUnpayable(result)
        ? result.data.map(({ subscription }) => subscription)
        : result.data.flatMap(({ id }) => (late === true ? [id] : []));
      return first === undefined ? null : `subscription explain ${first}`;
    },
  });
  addManaged(group, {
    usage: 'failing',
    about:
      'List those who fail to pay: why, since when, what each owes, when it is tried next, and what to do.',
    example: 'subrail subscription failing --plan pro',
    operations: ['subscriptions.failing'],
    options: { plan: text('slug', 'only those of this plan'), ...PAGE_OPTIONS },
    run: async ({ project, options }) => (await project()).subscriptions.failing(options),
    shown: (page, { terminal }) => listed(terminal, FAILING, page, failingRow),
    next: ({ data: [first] }) => (first === undefined ? null : `subscription explain ${first.subscription}`),
  });
  addManaged(group, {
    usage: 'show <id>',
    about:
      'Show everything of a subscription: its state, and its newest attempts, transfers, events and deliveries.',
    example: 'subrail subscription show sub_…',
    operations: ['subscriptions.detail'],
    run: async ({ project, operands: [id = ''] }) => (await project()).subscriptions.detail(id),
    shown: (detail, { terminal }) => showDetail(detail, terminal),
  });
  addManaged(group, {
    usage: 'explain <id>',
    about:
      'Say in sentences why a subscription has or has no access, what happened, what comes next, and what to do.',
    example: 'subrail subscription explain sub_…',
    operations: ['subscriptions.explain'],
    run: async ({ project, operands: [id = ''] }) => (await project()).subscriptions.explain(id),
    async shown(explanation, { project, operands: [id = ''], terminal }) {
      const detail = await (await project()).subscriptions.detail(id);
      return showExplanation(explanation, showAttempts(detail, terminal));
    },
    // The page on which the customer does what there is to do. It has what was confirmed.
    async next({ to_do: steps }, { project, operands: [id = ''] }) {
      if (!steps.some(({ who }) => who === 'customer')) return null;
      const { confirmed_at: confirmed } = await (await project()).subscriptions.retrieve(id);
      return confirmed === null ? null : `portal create --subscription ${id}`;
    },
  });
  addManaged(group, {
    usage: 'attempts <id>',
    about: 'List the attempts to charge a subscription, newest first.',
    example: 'subrail subscription attempts sub_…',
    operations: ['subscriptions.attempts'],
    options: PAGE_OPTIONS,
    run: async ({ project, operands: [id = ''], options }) =>
      (await project()).subscriptions.attempts(id, options),
    shown: (page, { terminal }) => listed(terminal, ['id', ...ATTEMPTS], page, attemptRow),
  });
  addManaged(group, {
    usage: 'update <id>',
    about: 'Correct who the customer of a subscription is, such as one who paid under a mistyped email.',
    example: 'subrail subscription update sub_… --external-id customer-42',
    operations: ['subscriptions.update'],
    options: {
      external_id: textOrNone('id', 'the customer as the app names it'),
      email: textOrNone('email', 'the email address of the customer'),
    },
    run: async ({ project, operands: [id = ''], options }) =>
      (await project()).subscriptions.update(id, options),
  });
  addManaged(group, {
    usage: 'retry <id>',
    about: 'Charge a subscription that is late now.',
    example: 'subrail subscription retry sub_…',
    operations: ['subscriptions.retry'],
    run: async ({ project, operands: [id = ''] }) => (await project()).subscriptions.retry(id),
  });
}

const ATTEMPTS = ['attempted_at', 'outcome', 'reason', 'amount', 'period', 'signature'];

function attemptRow(attempt: AttemptWire): object {
  return { ...attempt, period: attempt.period_start?.slice(0, 10) };
}

/** The newest attempts with their amounts in whole tokens; empty without any. */
function showAttempts({ attempts, plan }: SubscriptionDetail, terminal: Terminal): string {
  const rows = attempts.data.map((attempt) => ({
    ...attemptRow(attempt),
    amount: inTokens(BigInt(attempt.amount), plan.decimals),
  }));
  return rows.length === 0 ? '' : `\nAttempts\n${rowsTable(terminal, ATTEMPTS, rows)}`;
}

function showCount({ count, or_more, next_charges }: SubscriptionCount): string {
  const sums = next_charges.map(
    (sum) => `Next charges: ${sum.amount_display} ${sum.symbol ?? sum.mint} of ${sum.count}\n`,
  );
  return `${count}${or_more ? ' or more' : ''}\n${sums.join('')}`;
}

const CANNOT_PAY = ['due_at', 'customer', 'plan', 'amount', 'missing', 'why', 'to_do', 'subscription'];

function isOfUnpayable(page: { readonly data: readonly object[] }): page is CannotPayPage {
  return page.data.every((one) => 'due_at' in one);
}

function cannotPayRow(one: CannotPayPage['data'][number]): object {
  const unit = one.symbol ?? one.mint;
  return {
    ...one,
    customer: one.external_id ?? one.email ?? one.wallet,
    amount: `${one.amount_display} ${unit}`,
    missing: one.missing === '0' ? null : `${one.missing_display} ${unit}`,
    to_do: toDo(one),
  };
}

const FAILING = ['since', 'customer', 'plan', 'owed', 'why', 'next_try_at', 'to_do', 'subscription'];

function failingRow(failing: FailingPage['data'][number]): object {
  const { external_id, email, wallet, owed_display, symbol, mint } = failing;
  return {
    ...failing,
    customer: external_id ?? email ?? wallet,
    owed: `${owed_display} ${symbol ?? mint}`,
    to_do: toDo(failing),
  };
}

function toDo({ to_do }: Pick<FailingPage['data'][number], 'to_do'>): string {
  return to_do.map(({ who, what }) => `${who.replace('_', ' ')}: ${what}`).join(' ');
}

function rowOf(subscription: SubscriptionWire): object {
  const {
    access_until,
    next_charge_at,
    next_retry_at,
    blocked_reason,
    late_reason,
    stop_reason,
    end_reason,
  } = subscription;
  return {
    ...subscription,
    until: access_until,
    next: next_charge_at ?? next_retry_at,
    why: blocked_reason ?? late_reason ?? stop_reason ?? end_reason,
  };
}

function showDetail(detail: SubscriptionDetail, terminal: Terminal): string {
  const { subscription, internals, plan, transfers, events, deliveries } = detail;
  const { open_transfer, ...rest } = internals;
  const lists = [
    showAttempts(detail, terminal),
    list('Transfers', ['created_at', 'kind', 'state', 'amount', 'signature'], transfers.data),
    list('Events', ['created_at', 'type', 'id'], events.data),
    list('Deliveries', ['created_at', 'type', 'endpoint', 'state', 'last_status'], deliveries.data),
  ];
  function list(title: string, columns: readonly string[], rows: readonly object[]): string {
    return rows.length === 0 ? '' : `\n${title}\n${rowsTable(terminal, columns, rows)}`;
  }
  const fields = { ...subscription, plan: plan.slug, ...rest, open_transfer: open_transfer?.signature };
  return details(terminal, fields) + lists.join('');
}

/** The sentences of an explanation, as they are, and the table of attempts. */
function showExplanation({ as_of, state, next, to_do, happened }: Explanation, attempts: string): string {
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`;
  return (
    `${state.join('\n')}\n` +
    part(
      'What comes next:',
      next.map(({ at, what }) => `${at ?? 'As soon as it can'}: ${what}`),
    ) +
    part(
      'What to do:',
      to_do.map(({ who, what }) => `${who.replace('_', ' ')}: ${what}`),
    ) +
    part(
      'What happened:',
      happened.map(({ at, what }) => `${at}: ${what}`),
    ) +
    attempts +
    `\nThis was true at ${as_of}.\n`
  );
}
