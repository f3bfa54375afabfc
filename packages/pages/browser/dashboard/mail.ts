import type {
  MailKind,
  MailPage,
  MailSettingsWire,
  MailWire,
  MailWithText,
  RefusedAddressWire,
} from '@subrail/core/schemas';
import { html, nothing, type TemplateResult } from 'lit';
import { ask } from './ask.js';
import type { Context, Shown } from './context.js';
import { filterLinks, leadTo } from './find.js';
import { mailFrame, type Look } from './mail-frame.js';
import { badge, breakable, factList, moment, pagesView, table, type Piece, type Tone } from './pieces.js';
import { hashOf } from './place.js';
import { words } from './words.js';

const texts = words.mail;

const KINDS = Object.keys(texts.kindNames) as MailKind[];

const TONES: Readonly<Record<MailWire['state'], Tone>> = {
  sent: 'good',
  pending: 'quiet',
  failed: 'bad',
  refused: 'bad',
  left_out: 'warn',
};

/** A mail as it is read. */
type ReadMail = Pick<MailWithText, 'subject' | 'text' | 'html'>;

/** Whether mails are sent, which, to whom not, and the last ones. */
export async function mailsPage(context: Context): Promise<Shown> {
  const { routes, project, place, mayAct } = context;
  const state = place.query.get('state');
  const settings = await routes.get<MailSettingsWire>('mail-settings');
  const keepsMails = settings.lacks !== 'store';
  const [refused, mails] = await Promise.all([
    keepsMails ? routes.get<readonly RefusedAddressWire[]>('refused-addresses') : [],
    keepsMails
      ? routes.get<MailPage>('mails', { state, limit: 25, starting_after: place.query.get('after') })
      : { data: [], has_more: false },
  ]);
  const filters = filterLinks(
    texts.mails,
    Object.entries({ '': words.all, ...texts.states }).map(([name, label]) => [
      label,
      leadTo(context, { state: name }),
      name === (state ?? ''),
    ]),
  );
  return {
    title: words.pages.mail,
    view: () => html`
      ${mayAct ? nothing : html`<p class="hint">${words.toAct}</p>`} ${settingsView(context, settings)}
      ${kindsView(context, settings)} ${refused.length === 0 ? nothing : refusedView(context, refused)}
      <section>
        ${mailTable(project.id, mails.data, texts.mails, texts.noMails, filters)}
        ${pagesView(project.id, place, mails.has_more ? (mails.data.at(-1)?.id ?? null) : null)}
      </section>
    `,
  };
}

function settingsView({ act, mayAct, routes }: Context, settings: MailSettingsWire): TemplateResult {
  const { from, lacks, reply_to: replyTo, language } = settings;
  const change = () =>
    act(async () => {
      const answer = await ask({
        title: texts.changeTitle,
        sentence: texts.changeAsk,
        fields: [
          { name: 'reply_to', label: texts.replyTo, value: replyTo ?? '', type: 'email' },
          {
            ...{ name: 'language', label: texts.language, value: language },
            options: Object.entries(texts.languages),
          },
        ],
        yes: words.settings.save,
      });
      if (answer === null) return null;
      await routes.post('mail-settings', {
        reply_to: answer['reply_to'] || null,
        language: answer['language'],
      });
      return texts.changed;
    });
  const test = () =>
    act(async () => {
      const answer = await ask({
        title: texts.test,
        sentence: texts.testAsk,
        fields: [{ name: 'to', label: texts.testTo, type: 'email', isRequired: true }],
        yes: texts.test,
      });
      if (answer === null) return null;
      const { reason } = await routes.post<{ readonly reason: string | null }>('mail-test', {
        to: answer['to'],
      });
      if (reason !== null) throw new Error(texts.testFailed(reason));
      return texts.tested;
    });
  return html`<section class="card">
    <h2>${lacks === null ? texts.on : texts.off}</h2>
    ${
      lacks === null
        ? nothing
        : html`<div class="notice warn">
            <p>${texts.lacks[lacks]}</p>
          </div>`
    }
    ${
      lacks === 'mail_server'
        ? html`<pre tabindex="0">
SUBRAIL_SMTP_URL=smtp://user:password@smtp.example:587
SUBRAIL_MAIL_FROM=billing@shop.example</pre>`
        : nothing
    }
    ${factList([
      [texts.from, from === null ? words.none : breakable(from)],
      [texts.replyTo, replyTo === null ? texts.toSender : breakable(replyTo)],
      [texts.language, texts.languages[language]],
    ])}
    ${
      !mayAct || lacks === 'store'
        ? nothing
        : html`<div class="actions">
            ${lacks === null ? html`<button class="primary" @click=${test}>${texts.test}</button>` : nothing}
            <button @click=${change}>${texts.change}</button>
          </div>`
    }
  </section>`;
}

function kindsView({ act, mayAct, project, routes }: Context, settings: MailSettingsWire): TemplateResult {
  const { off, lacks } = settings;
  const isOn = (kind: MailKind) => !off.includes(kind);
  const turn = (kind: MailKind) => () =>
    act(async () => {
      const after = isOn(kind) ? [...off, kind] : off.filter((one) => one !== kind);
      await routes.post('mail-settings', { off: after });
      return texts.turned(texts.kindNames[kind], !isOn(kind));
    });
  const stateOf = (kind: MailKind): Piece => {
    const word = texts.sentOrNot[isOn(kind) ? 'on' : 'off'];
    if (!mayAct || lacks === 'store') return badge(isOn(kind) ? 'good' : 'quiet', word);
    return html`<button
      class="small ${isOn(kind) ? 'primary' : ''}"
      role="switch"
      aria-checked=${String(isOn(kind))}
      aria-label=${texts.kindNames[kind]}
      @click=${turn(kind)}
    >
      ${word}
    </button>`;
  };
  return html`<section>
    ${table(
      texts.kinds,
      [
        {
          head: texts.kind,
          cell: (kind) =>
            html`<a href=${hashOf(project.id, 'mail', ['preview', kind])}>${texts.kindNames[kind]}</a>
              <span class="under">${texts.kindMeanings[kind]}</span>`,
        },
        { head: texts.isSent, cell: stateOf },
      ],
      KINDS,
      '',
    )}
  </section>`;
}

function refusedView(
  { act, mayAct, routes }: Context,
  refused: readonly RefusedAddressWire[],
): TemplateResult {
  const accept = (address: string) => () =>
    act(async () => {
      await routes.post('refused-addresses/accept', { address });
      return texts.accepted(address);
    });
  return html`<section>
    ${table(
      texts.refused,
      [
        {
          head: texts.address,
          cell: ({ address, reason }) =>
            html`${breakable(address)} <span class="under">${texts.said} ${breakable(reason)}</span>`,
        },
        {
          head: texts.since,
          cell: ({ address, refused_at: since }) =>
            html`${moment(since)}
            ${
              mayAct
                ? html`<button
                    class="plain-link"
                    aria-label="${texts.accept}: ${address}"
                    @click=${accept(address)}
                  >
                    ${texts.accept}
                  </button>`
                : nothing
            }`,
        },
      ],
      refused,
      '',
    )}
    <p class="hint">${texts.refusedAbout}</p>
  </section>`;
}

const stateBadge = ({ state }: MailWire): Piece => badge(TONES[state], texts.states[state]);

/** Mails, each of which leads to what it says. */
export const mailTable = (
  project: string,
  mails: readonly MailWire[],
  caption: string,
  empty: Piece,
  filters: TemplateResult | typeof nothing = nothing,
): TemplateResult =>
  table(
    caption,
    [
      {
        head: texts.kind,
        cell: (row) => html`<a href=${hashOf(project, 'mail', [row.id])}>${texts.kindNames[row.kind]}</a>`,
      },
      { head: texts.to, cell: (row) => breakable(row.email) },
      {
        head: texts.state,
        cell: (row) =>
          html`${stateBadge(row)}
          ${row.last_error === null ? nothing : html`<span class="under long">${row.last_error}</span>`}`,
      },
      { head: texts.created, cell: (row) => moment(row.created_at) },
      { head: texts.next, cell: (row) => moment(row.next_attempt_at) },
    ],
    mails,
    empty,
    filters,
  );

/** A mail: what became of it, and what it says. */
export async function mailPage(context: Context, id: string): Promise<Shown> {
  const { act, mayAct, routes, project } = context;
  const path = `mails/${encodeURIComponent(id)}`;
  const mail = await routes.get<MailWithText>(path);
  const resend = () =>
    act(async () => {
      await routes.post(`${path}/resend`);
      return texts.sentAgain;
    });
  const isOver = mail.state !== 'pending' && mail.state !== 'sent';
  return {
    title: texts.title(texts.kindNames[mail.kind]),
    view: () => html`
      <p class="pages">
        <a href=${hashOf(project.id, 'mail')}>${words.back(words.pages.mail)}</a>
        <a href=${hashOf(project.id, 'customers', [mail.subscription])}>${texts.subscription}</a>
      </p>
      <div class="card">
        ${factList([
          [texts.state, stateBadge(mail)],
          [texts.to, breakable(mail.email)],
          ...(mail.last_error === null
            ? []
            : [[texts.lastError, html`<span class="long">${mail.last_error}</span>`] as const]),
          [texts.attempts, String(mail.attempts)],
          [texts.created, moment(mail.created_at)],
          [texts.settled, moment(mail.settled_at)],
          [texts.next, moment(mail.next_attempt_at)],
          [texts.id, html`<code>${mail.id}</code>`],
        ])}
      </div>
      ${
        !isOver
          ? nothing
          : mayAct
            ? html`<div class="actions">
                <button class="primary" @click=${resend}>${texts.sendAgain}</button>
              </div>`
            : html`<p class="hint">${words.toAct}</p>`
      }
      ${readView(context, mail)}
    `,
  };
}

/** The sample of a kind, in each language. */
export async function previewPage(context: Context, kind: string): Promise<Shown> {
  const { routes, project, place } = context;
  const [settings, mail] = await Promise.all([
    routes.get<MailSettingsWire>('mail-settings'),
    routes.get<ReadMail>('mail-preview', { kind, language: place.query.get('language') }),
  ]);
  const language = place.query.get('language') ?? settings.language;
  return {
    title: texts.title(texts.kindNames[kind as MailKind]),
    view: () => html`
      <p><a href=${hashOf(project.id, 'mail')}>${words.back(words.pages.mail)}</a></p>
      ${filterLinks(
        texts.kinds,
        KINDS.map((one) => [
          texts.kindNames[one],
          hashOf(project.id, 'mail', ['preview', one], Object.fromEntries(place.query)),
          one === kind,
        ]),
      )}
      ${filterLinks(
        texts.language,
        Object.entries(texts.languages).map(([name, label]) => [
          label,
          leadTo(context, { language: name }),
          name === language,
        ]),
      )}
      <p class="hint">${texts.sample}</p>
      ${readView(context, mail)}
    `,
  };
}

/** What a mail says, in both colour schemes and without HTML. */
function readView(context: Context, { subject, text, html: source }: ReadMail): TemplateResult {
  const chosen = context.place.query.get('look');
  const isDark = chosen === null ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
  const look: Look = isDark ? 'dark' : 'light';
  return html`<section>
      <div class="heading">
        <p><strong>${texts.subject}:</strong> ${subject}</p>
        ${filterLinks(
          texts.looks,
          (['light', 'dark'] as const).map((name) => [
            texts.lookNames[name],
            leadTo(context, { look: name }),
            name === look,
          ]),
        )}
      </div>
      ${mailFrame(source, look)}
      <p class="hint">${texts.notLinked}</p>
    </section>
    <section>
      <h2 id="text">${texts.text}</h2>
      <pre tabindex="0" aria-labelledby="text">${text}</pre>
    </section>`;
}
