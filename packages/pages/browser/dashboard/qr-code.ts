import { html, svg, type TemplateResult } from 'lit';

/** Draws a text as a QR code. What draws it is loaded with it. */
export async function qrCode(text: string, name: string): Promise<TemplateResult> {
  const { encode } = await import('uqr');
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return html`<span class="qr">
    ${svg`<svg viewBox="0 0 ${size} ${size}" role="img" aria-label=${name} shape-rendering="crispEdges">
      <path d=${dots.join('')} fill="currentColor" />
    </svg>`}
  </span>`;
}
