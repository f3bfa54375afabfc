import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a certificate of a name that signs itself, valid for some days from now, or up to some days ago. */
export function certificateOf(name: string, days: number): { readonly cert: string; readonly key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'certificate-'));
  const [key, request, cert] = ['key', 'request', 'cert'].map((file) => join(folder, file)) as [
    string,
    string,
    string,
  ];
  const openssl = (...parts: string[]) => execFileSync('openssl', parts, { stdio: 'ignore' });
  try {
    const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key];
    openssl('req', '-new', ...made, '-subj', `/CN=${name}`, '-out', request);
    openssl('x509', '-req', '-in', request, '-signkey', key, '-days', String(days), '-out', cert);
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
