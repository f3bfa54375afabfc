import type { Manager } from '@subrail/core/client';
import type { ApiKeyWire } from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import { get, post } from './api.js';
import { ask, reveal } from './ask.js';
import { auditView, type Audit } from './audit.js';
import type { Context, Shown } from './context.js';
import { badge, breakable, moment, table, type Piece } from './pieces.js';
import { words } from './words.js';

const texts = words.keys;

type ManagementKey = Awaited<ReturnType<Manager['management']['listKeys']>>[number];
type NewKey = { readonly key: string };

/** The keys of the project and of management, and who changed what. */
export async function keysPage(context: Context): Promise<Shown> {
  const { routes, project, place } = context;
  const [keys, managementKeys, audit] = await Promise.all([
    routes.get<readonly ApiKeyWire[]>('keys'),
    get<readonly ManagementKey[]>('management-keys'),
    get<Audit>('audit-entries', { project: project.id, limit: 25, starting_after: place.query.get('after') }),
  ]);
  const names = new Map([
    [project.id, project.name],
    ...keys.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])),
  ]);
  return {
    title: words.pages.keys,
    view: () => html`
      ${context.mayAct ? nothing : html`<p class="hint">${words.toAct}</p>`}
      <section>${apiKeysView(context, keys)}</section>
      <section>${managementKeysView(context, managementKeys)}</section>
      <section>${auditView(context, audit, names)}</section>
    `,
  };
}

/** Whether a key works, as far as its dates say. */
function keyBadge({
  revoked_at: revoked,
  expires_at: expires,
}: Pick<ApiKeyWire, 'revoked_at' | 'expires_at'>): Piece {
  if (revoked !== null) return html`${badge('quiet', texts.revoked)} ${moment(revoked)}`;
  return expires === null
    ? badge('good', texts.works)
    : html`${badge('warn', texts.ends)} ${moment(expires)}`;
}

function apiKeysView({ act, mayAct, routes }: Context, keys: readonly ApiKeyWire[]): TemplateResult {
  const show = ({ key }: NewKey) => reveal(texts.newKey, texts.once, key);
  const create = () =>
    act(async () => {
      const answer = await ask({
        title: texts.createApi,
        sentence: texts.createApiAsk,
        fields: [{ name: 'name', label: texts.name }],
        yes: texts.create,
      });
      if (answer === null) return null;
      await show(await routes.post<NewKey>('keys', { name: answer['name'] || null }));
      return texts.created;
    });
  const rotate = (key: ApiKeyWire) => () =>
    act(async () => {
      const answer = await ask({
        title: texts.rotate,
        sentence: texts.rotateAsk(nameOf(key)),
        fields: [
          {
            name: 'hours',
            label: texts.overlap,
            options: [
              ['24', words.webhooks.hours['24']],
              ['1', words.webhooks.hours['1']],
              ['0', words.webhooks.hours['0']],
            ],
          },
        ],
        yes: texts.rotate,
      });
      if (answer === null) return null;
      await show(
        await routes.post<NewKey>(`keys/${key.id}/rotate`, { overlap_hours: Number(answer['hours']) }),
      );
      return texts.rotated;
    });
  const revoke = (key: ApiKeyWire) => () =>
    act(async () => {
      if ((await ask(revokeQuestion(nameOf(key)))) === null) return null;
      await routes.post(`keys/${key.id}/revoke`);
      return texts.isRevoked;
    });
  return html`
    ${table(
      texts.apiKeys,
      [
        { head: texts.name, cell: (row) => breakable(nameOf(row)) },
        { head: texts.state, cell: keyBadge },
        { head: texts.lastUse, cell: (row) => moment(row.last_used_at) },
        { head: texts.madeAt, cell: (row) => moment(row.created_at) },
        ...(mayAct
          ? [
              {
                head: texts.actions,
                cell: (row: ApiKeyWire): Piece =>
                  row.revoked_at === null
                    ? html`<button
                          class="small"
                          aria-label="${texts.rotate}: ${nameOf(row)}"
                          @click=${rotate(row)}
                        >
                          ${texts.rotate}
                        </button>
                        <button
                          class="small danger"
                          aria-label="${texts.revoke}: ${nameOf(row)}"
                          @click=${revoke(row)}
                        >
                          ${texts.revoke}
                        </button>`
                    : words.none,
              },
            ]
          : []),
      ],
      keys,
      texts.noApiKeys,
      mayAct ? html`<button class="primary" @click=${create}>${texts.createApi}</button>` : nothing,
    )}
  `;
}

function managementKeysView({ act, mayAct }: Context, keys: readonly ManagementKey[]): TemplateResult {
  const create = () =>
    act(async () => {
      const answer = await ask({
        title: texts.createManagement,
        sentence: texts.createManagementAsk,
        fields: [
          { name: 'name', label: texts.name, isRequired: true },
          {
            name: 'access',
            label: texts.access,
            options: [
              ['read', texts.accesses.read],
              ['write', texts.accesses.write],
            ],
          },
        ],
        yes: texts.create,
      });
      if (answer === null) return null;
      const { key } = await post<NewKey>('management-keys', answer);
      await reveal(texts.newKey, texts.once, key);
      return texts.created;
    });
  const revoke = (key: ManagementKey) => () =>
    act(async () => {
      if ((await ask(revokeQuestion(key.name))) === null) return null;
      await post(`management-keys/${key.id}/revoke`);
      return texts.isRevoked;
    });
  return html`
    ${table(
      texts.managementKeys,
      [
        { head: texts.name, cell: (row) => breakable(row.name) },
        { head: texts.access, cell: (row) => texts.accesses[row.access] },
        { head: texts.state, cell: (row) => keyBadge({ ...row, expires_at: null }) },
        { head: texts.lastUse, cell: (row) => moment(row.last_used_at) },
        { head: texts.madeAt, cell: (row) => moment(row.created_at) },
        ...(mayAct
          ? [
              {
                head: texts.actions,
                cell: (row: ManagementKey): Piece =>
                  row.revoked_at === null
                    ? html`<button
                        class="small danger"
                        aria-label="${texts.revoke}: ${row.name}"
                        @click=${revoke(row)}
                      >
                        ${texts.revoke}
                      </button>`
                    : words.none,
              },
            ]
          : []),
      ],
      keys,
      words.none,
      mayAct ? html`<button class="primary" @click=${create}>${texts.createManagement}</button>` : nothing,
    )}
  `;
}

const nameOf = ({ name, id }: ApiKeyWire): string => name ?? id;

const revokeQuestion = (name: string) => ({
  title: texts.revoke,
  sentence: texts.revokeAsk(name),
  yes: texts.revoke,
  isDanger: true,
});
