/** The headers of every answer of the pages. */
export const COMMON = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };

/** The policy of a page that loads its own files only, and shows in no frame. `connect` adds an origin. */
const policy = (connect: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${connect}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The headers of a page. */
export function pageHeaders(connect = ''): Readonly<Record<string, string>> {
  return {
    ...COMMON,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy(connect),
    'X-Frame-Options': 'DENY',
    'Cache-Control': 'no-cache',
  };
}
