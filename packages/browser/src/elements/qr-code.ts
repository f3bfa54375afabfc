import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Piece } from './pieces.js';

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

let drawn: { readonly key: string; readonly view: Piece } | null = null;

/** A QR code; nothing until it is drawn, which `redraw` hears. The same one is drawn once. */
export function qrCode(text: string, name: string, redraw: () => void): Piece {
  const key = `${name} ${text}`;
  if (drawn?.key !== key) {
    drawn = { key, view: nothing };
    void drawQrCode(text, name).then((view) => {
      drawn = { key, view };
      redraw();
    });
  }
  return drawn.view;
}
