import { shortened } from '@subrail/browser';
import type { AuditEntryWire } from '@subrail/core/schemas';
import { html, type TemplateResult } from 'lit';
import type { Context } from './context.js';
import { CHANGES } from './changes.js';
import { badge, breakable, moment, pagesView, table, type Piece } from './pieces.js';
import { hashOf } from './place.js';
import { EVENT_TYPES, words } from './words.js';

const texts = words.keys;

export interface Audit {
  readonly data: readonly AuditEntryWire[];
  readonly has_more: boolean;
}

/** Who changed what of the project, and how it ended. `names` are the names of its objects by their ids. */
export const auditView = (
  { project, place }: Context,
  { data, has_more: hasMore }: Audit,
  names: ReadonlyMap<string, string>,
): TemplateResult => html`
  ${table(
    texts.audit,
    [
      { head: texts.when, cell: (row) => moment(row.created_at) },
      { head: texts.who, cell: actorView },
      {
        head: texts.what,
        cell: ({ operation }) => html`<span title=${operation}>${CHANGES.get(operation) ?? operation}</span>`,
      },
      { head: texts.subject, cell: (row) => subjectView(row, project.id, names) },
      { head: texts.asked, cell: detailsView },
      { head: texts.outcome, cell: outcomeBadge },
    ],
    data,
    texts.noAudit,
  )}
  ${pagesView(project.id, place, hasMore ? (data.at(-1)?.id ?? null) : null)}
`;

/** A key with its name, the user of a command, or another program. */
function actorView({ actor }: AuditEntryWire): Piece {
  const [, name, id] = /^(.*) \((mkey_\w+)\)$/.exec(actor) ?? [];
  return name === undefined || id === undefined
    ? html`<span class="name">${actor}</span>`
    : html`${name} <span class="under">${idView(id)}</span>`;
}

/** What was changed: its name where it has one, and the way to its page where there is one. */
function subjectView(
  { operation, subject }: AuditEntryWire,
  project: string,
  names: ReadonlyMap<string, string>,
): Piece {
  if (subject === null) return words.none;
  const name = names.get(subject) ?? idView(subject);
  const way = wayTo(operation, subject);
  return way === null ? name : html`<a href=${hashOf(project, ...way)}>${name}</a>`;
}

function wayTo(operation: string, subject: string): [page: string, rest: readonly string[]] | null {
  if (operation.startsWith('plans.')) return ['plans', [subject]];
  if (subject.startsWith('sub_')) return ['customers', [subject]];
  if (operation.startsWith('endpoints.')) return ['webhooks', [subject]];
  return operation.startsWith('deliveries.') ? ['webhooks', ['delivery', subject]] : null;
}

/** A long id by its first letters, whole on hover. */
const idView = (id: string): Piece =>
  id.length > 20 ? html`<code class="name" title=${id}>${id.slice(0, 12)}…</code>` : id;

/** What was asked for, a line for each value. What a new object was not given is left out. */
function detailsView({ operation, input }: AuditEntryWire): Piece {
  const isNew = operation.endsWith('.create');
  const lines = linesOf(input).filter(([, value]) => !isNew || value !== words.none);
  if (lines.length === 0) return words.none;
  return html`${lines.map(([name, value]) => html`<div>${name}: ${value}</div>`)}`;
}

type Line = readonly [name: string, value: Piece];

function linesOf(value: unknown, ...path: readonly string[]): readonly Line[] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.entries(value).flatMap(([name, one]) => linesOf(one, ...path, name));
  return path.length === 0 ? [] : [[path.join(' ').replaceAll('_', ' '), valueView(value)]];
}

/** A value as a person reads it: a date in the zone of the reader, and long texts by their two ends. */
function valueView(value: unknown): Piece {
  if (Array.isArray(value) && EVENT_TYPES.every((type) => value.includes(type))) return words.webhooks.every;
  if (Array.isArray(value))
    return value.length === 0
      ? words.none
      : html`${value.map((one, at) => html`${at === 0 ? '' : ', '}${valueView(one)}`)}`;
  if (value === null || value === '') return words.none;
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return moment(text);
  const isLong = text.length > 200 || /^[1-9A-HJ-NP-Za-km-z]{32,88}$/.test(text);
  return isLong ? html`<code class="name" title=${text}>${shortened(text)}</code>` : breakable(text);
}

function outcomeBadge({ outcome, code }: AuditEntryWire): Piece {
  if (outcome === null) return badge('warn', texts.outcomes.none);
  return html`${badge(outcome === 'done' ? 'good' : 'bad', texts.outcomes[outcome])} ${code ?? ''}`;
}
