import { closeSync, openSync, readFileSync } from 'node:fs';
import { permissionsOfSecret, type SecretPermissions } from '@subrail/adapters/node';

/** Reads a file that may hold a secret, without white space around its text, and judges its permissions. */
export function readSecretFile(path: string): SecretPermissions & { readonly text: string } {
  const file = openSync(path, 'r');
  try {
    return { ...permissionsOfSecret(file, path), text: textOf(readFileSync(file)).trim() };
  } finally {
    closeSync(file);
  }
}

/** The text of a file in UTF-8 or, as PowerShell writes files, UTF-16. `trim` removes the mark of either. */
function textOf(bytes: Buffer): string {
  return bytes.toString(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'utf8');
}
