import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { words } from './words.js';

/** A row of values, one for each date. */
export interface Series {
  readonly name: string;
  /** The class that colours it. */
  readonly tone: 'good' | 'warn' | 'bad' | 'main';
  readonly values: readonly number[];
  /** The values as text, for the table and the pointer. */
  readonly texts: readonly string[];
}

interface Chart {
  readonly title: string;
  /** What the chart shows, in a sentence for who cannot see it. */
  readonly about: string;
  readonly dates: readonly string[];
  readonly series: readonly Series[];
  readonly kind: 'bars' | 'line';
  /** Sentences below the title. */
  readonly notes?: readonly string[];
  /** Columns of the table that the chart does not draw: the name, and the text of each date. */
  readonly columns?: readonly (readonly [name: string, texts: readonly string[]])[];
  /** Whether the dates are to come: the table has the soonest first, and none of nothing. */
  readonly isAhead?: boolean;
  /** What is said of dates at an end that are no whole parts, by their places. They are lighter. */
  readonly partial?: ReadonlyMap<number, string>;
  /** Writes a value at the axis. */
  readonly axis: (value: number) => string;
}

const HEIGHT = 200;
const LEFT = 44;
const BOTTOM = 22;
const TOP = 10;

/** A chart with its table beneath: bars that stand on each other, or lines. */
export function chart({
  title,
  about,
  dates,
  series,
  kind,
  axis,
  notes = [],
  columns = [],
  isAhead = false,
  partial = new Map(),
}: Chart): TemplateResult {
  const totals = dates.map((_, at) =>
    kind === 'bars'
      ? series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)
      : Math.max(...series.map(({ values }) => values[at] ?? 0)),
  );
  const top = niceTop(Math.max(0, ...totals));
  // As wide as a phone has room for, where smaller text would not be read. A new window has no width yet.
  const width = Math.max(240, Math.min(520, innerWidth - 64));
  const step = (width - LEFT) / Math.max(1, dates.length);
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
  const heads = [...series.map(({ name }) => name), ...columns.map(([name]) => name)];
  const cells = [...series.map(({ texts }) => texts), ...columns.map(([, texts]) => texts)];
  const all = dates.map((_, at) => at);
  const rows = isAhead ? all.filter((at) => series.some(({ values }) => values[at] !== 0)) : all.reverse();
  const wordOf = (date: string, at: number) => [date, partial.get(at)].filter(Boolean).join(', ');
  // Halves of a thing mean nothing.
  const ticks = top === 1 ? [0, 1] : [0, top / 2, top];
  return html`<section class="card chart">
    <h2>${title}</h2>
    ${notes.map((note) => html`<p class="hint">${note}</p>`)}
    <p class="legend">
      ${series.map(({ name, tone }) => html`<span class="key ${tone}">${name}</span>`)}
      ${partial.size === 0 ? nothing : html`<span class="key part">${words.home.notWhole}</span>`}
    </p>
    <svg viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label=${about}>
      ${ticks.map(
        (tick) =>
          svg`<line class="grid" x1=${LEFT} x2=${width} y1=${y(tick)} y2=${y(tick)} /><text class="tick" x=${LEFT - 6} y=${y(tick) + 4} text-anchor="end">${axis(tick)}</text>`,
      )}
      ${labelsOf(dates, Math.floor(width / 90)).map(
        (at) =>
          svg`<text class="tick" x=${at === dates.length - 1 ? width : LEFT + step * (at + 0.5)} y=${HEIGHT - 5} text-anchor=${at === dates.length - 1 ? 'end' : 'middle'}>${dates[at]}</text>`,
      )}
      ${kind === 'bars' ? bars(series, dates, partial, step, y) : series.map((one) => line(one, partial, step, y))}
      ${dates.map(
        (date, at) =>
          svg`<rect class="hit" x=${LEFT + step * at} width=${step} y=${TOP} height=${HEIGHT - TOP - BOTTOM}><title>${[wordOf(date, at), ...series.map(({ name, texts }) => `${name}: ${texts[at]}`)].join('\n')}</title></rect>`,
      )}
    </svg>
    <details>
      <summary>${words.home.table}</summary>
      <div class="scroll" tabindex="0">
        <table class="grid">
          <thead>
            <tr>
              <th scope="col">${words.home.date}</th>
              ${heads.map((name) => html`<th scope="col" class="number">${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (at) =>
                html`<tr>
                  <th scope="row">${wordOf(dates[at] ?? '', at)}</th>
                  ${cells.map((texts) => html`<td class="number">${texts[at]}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>
  </section>`;
}

function bars(
  series: readonly Series[],
  dates: readonly string[],
  partial: ReadonlyMap<number, string>,
  step: number,
  y: (value: number) => number,
): readonly SVGTemplateResult[] {
  return dates.flatMap((_, at) => {
    let below = 0;
    return series.map(({ tone, values }) => {
      const from = below;
      below += values[at] ?? 0;
      return svg`<rect class="${tone} ${partial.has(at) ? 'part' : ''}" x=${LEFT + step * at + step * 0.12} width=${step * 0.76} y=${y(below)} height=${Math.max(0, y(from) - y(below))} />`;
    });
  });
}

/** A line, whose way to a part that is not whole is apart. */
function line(
  { tone, values }: Series,
  partial: ReadonlyMap<number, string>,
  step: number,
  y: (value: number) => number,
): readonly SVGTemplateResult[] {
  const points = values.map((value, at) => `${LEFT + step * (at + 0.5)},${y(value)}`);
  const whole = points.filter((_, at) => !partial.has(at));
  const ways = [...partial.keys()].map((at) => points.slice(Math.max(0, at - 1), at === 0 ? 2 : at + 1));
  return [
    svg`<polyline class=${tone} points=${whole.join(' ')} />`,
    ...ways.map((way) => svg`<polyline class="${tone} part" points=${way.join(' ')} />`),
  ];
}

/** The least round number that a value fits under: 1, 2, 4, 5 or 10 times a power of ten. */
function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}

/** The places of at most so many labels, evenly apart. */
function labelsOf(dates: readonly string[], most: number): readonly number[] {
  const every = Math.max(1, Math.ceil(dates.length / most));
  return dates.flatMap((_, at) => ((dates.length - 1 - at) % every === 0 ? [at] : []));
}
