import { parseIpAddress } from '../contract/ip-address.js';
import type { PrivateTargets } from '../ports/http-sender.js';
import {
  contains,
  isPublicAddress,
  isPublicHost,
  parseBlock,
  plainHost,
  type AddressBlock,
} from './public-address.js';

/** The form of an entry of a list of private targets, as the end of a sentence. */
export const PRIVATE_TARGET_FORMS =
  'a host (localhost, receiver.test), an address or a block of addresses (10.1.0.0/16), or a host with a port (localhost:3000)';

/** Decides where webhooks may go, by the URL first, and by the address when a connection is made. */
export interface WebhookTargets {
  /**
   * Why no webhook may go to this URL, as the end of a sentence; null when the URL shows no reason. The
   * address to which a name resolves is not known yet.
   */
  refusal(url: URL): string | null;
  /** Whether a webhook to this URL may go to this IP address, which the URL has or its name resolved to. */
  allows(url: URL, address: string): boolean;
}

/**
 * Reads the targets of webhooks. Without private targets these are public addresses over https. A URL whose
 * host is listed, or whose address is in a listed block, may use plain http too, and a listed host may
 * resolve to any address. Any other name may resolve to listed blocks and to public addresses, over https,
 * unless its form is private, such as `db.internal`.
 *
 * @throws TypeError that names the entry which cannot be read
 * @example
 * const targets = webhookTargets(['localhost:3000', '10.1.0.0/16']);
 * targets.refusal(new URL('http://localhost:3000/webhooks')); // null
 * targets.refusal(new URL('http://localhost:4000/webhooks')); // 'must be an https address'
 * targets.allows(new URL('https://hooks.example.com/'), '10.1.2.3'); // true
 */
export function webhookTargets(privateTargets: PrivateTargets): WebhookTargets {
  if (privateTargets === true) return { refusal: refuseOtherSchemes, allows: () => true };
  const entries = listOf(privateTargets).map((text) => {
    const entry = typeof text === 'string' ? readEntry(text) : null;
    if (entry === null)
      throw new TypeError(`The private target "${String(text)}" must be ${PRIVATE_TARGET_FORMS}.`);
    return entry;
  });
  const names = entries.filter((entry) => 'name' in entry);
  const blocks = entries.filter((entry) => 'block' in entry);

  const allowsByName = (url: URL) =>
    names.some((entry) => entry.name === plainHost(url.hostname) && hasPort(entry, url));
  const allowsByBlock = (url: URL, address: string) => {
    const bytes = parseIpAddress(address);
    return bytes !== null && blocks.some((entry) => contains(entry.block, bytes) && hasPort(entry, url));
  };
  return {
    refusal(url) {
      const otherScheme = refuseOtherSchemes(url);
      if (otherScheme !== null && entries.length > 0) return otherScheme;
      if (allowsByName(url) || allowsByBlock(url, plainHost(url.hostname))) return null;
      if (url.protocol !== 'https:') return 'must be an https address';
      return isPublicHost(url) ? null : 'must be on a public host';
    },
    allows: (url, address) =>
      allowsByName(url) ||
      allowsByBlock(url, address) ||
      (url.protocol === 'https:' && isPublicAddress(address)),
  };
}

/**
 * Whether a text can be an entry of a list of private targets.
 *
 * @example
 * isPrivateTarget('10.1.0.0/16'); // true
 * isPrivateTarget('10.1.0.0/40'); // false
 */
export function isPrivateTarget(text: string): boolean {
  return readEntry(text) !== null;
}

/** The list as it was given, which without types may be anything. */
function listOf(privateTargets: unknown): readonly unknown[] {
  if (privateTargets === false) return [];
  if (Array.isArray(privateTargets)) return privateTargets;
  throw new TypeError('Private targets must be true, false, or a list of hosts and address blocks.');
}

function refuseOtherSchemes({ protocol }: URL): string | null {
  return protocol === 'https:' || protocol === 'http:' ? null : 'must be an https address, or http';
}

/** A host or a block that webhooks may go to; `port` is null for every port. */
type Entry =
  | { readonly name: string; readonly port: number | null }
  | { readonly block: AddressBlock; readonly port: number | null };

function readEntry(text: string): Entry | null {
  const block = parseBlock(text);
  if (block !== null) return { block, port: null };
  const [, host = text, digits] = /^(\[.*\]|[^:]*):(\d{1,5})$/.exec(text) ?? [];
  const port = digits === undefined ? null : Number(digits);
  if (port === 0 || (port !== null && port > 65_535) || host.includes('/')) return null;
  const address = parseBlock(host.replace(/^\[(.*:.*)\]$/, '$1'));
  if (address !== null) return { block: address, port };
  const name = plainHost(host).toLowerCase();
  const isName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name) && readsAs(name);
  return isName && (port !== null || name === 'localhost' || name.includes('.')) ? { name, port } : null;
}

/** Whether a URL with this host has it unchanged. `127.1` and `0x7f000001` are read as addresses. */
function readsAs(name: string): boolean {
  return URL.canParse(`http://${name}`) && new URL(`http://${name}`).hostname === name;
}

function hasPort({ port }: Entry, url: URL): boolean {
  const defaultPort = url.protocol === 'https:' ? 443 : 80;
  return port === null || port === (url.port === '' ? defaultPort : Number(url.port));
}
