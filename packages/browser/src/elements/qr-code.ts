import { html, svg, type TemplateResult } from 'lit';

/** Draws a text as a QR code. What draws it is loaded when it is needed. */
async function drawQrCode(text: string, name: string): Promise<TemplateResult> {
  const { encode } = await import('uqr');
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<span class="qr" part="qr">
    ${svg`<svg viewBox="0 0 ${size} ${size}" role="img" aria-label=${name} shape-rendering="crispEdges">
      <path d=${dots.join('')} fill="currentColor" />
    </svg>`}
  </span>`;
}

let drawn: { readonly key: string; readonly view: Promise<TemplateResult> } | null = null;

/** A QR code. The same one is drawn once, however often the page shows it. */
export function qrCode(text: string, name: string): Promise<TemplateResult> {
  const key = `${name} ${text}`;
  if (drawn?.key !== key) drawn = { key, view: drawQrCode(text, name) };
  return drawn.view;
}
