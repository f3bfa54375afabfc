import { isIP } from 'node:net';

const isNumber = (value: string) => /^\d+$/.test(value);
const isAddress = (value: string) => isIP(value) !== 0;
const isProtocol = (value: string) => /^(tcp|udp|sctp)$/.test(value);
/** Such as `tcp://10.0.0.7:4242`. */
const isServiceUrl = (value: string) => /^(tcp|udp|sctp):\/\/.+:\d+$/.test(value);

/** Such as `/web/subrail`. */
const isNameOfLink = (value: string) => /^\/[^/\s]+\/[^/\s]+$/.test(value);

/**
 * What Kubernetes puts into the environment of a container for each service of its namespace, and Docker for
 * each link. A service whose name begins with "subrail" gets variables with our prefix.
 */
const FORMS: readonly { readonly name: RegExp; readonly isValue: (value: string) => boolean }[] = [
  { name: /_SERVICE_HOST$/, isValue: isAddress },
  { name: /_SERVICE_PORT(_\w+)?$/, isValue: isNumber },
  { name: /_PORT(_\d+_(TCP|UDP|SCTP))?$/, isValue: isServiceUrl },
  { name: /_PORT_\d+_(TCP|UDP|SCTP)_PROTO$/, isValue: isProtocol },
  { name: /_PORT_\d+_(TCP|UDP|SCTP)_PORT(_START|_END)?$/, isValue: isNumber },
  { name: /_PORT_\d+_(TCP|UDP|SCTP)_ADDR$/, isValue: isAddress },
];

/** Whether a platform made a variable: its name and its value both have the form. */
export function isInjected(name: string, environment: NodeJS.ProcessEnv): boolean {
  const value = environment[name] ?? '';
  if (FORMS.some((form) => form.name.test(name) && form.isValue(value))) return true;
  // Docker also hands on the names of both containers of a link, and the environment of the linked one.
  const [, linked, part] = /^(\w+?)_(NAME|ENV_\w+)$/.exec(name) ?? [];
  if (linked === undefined || (part === 'NAME' && !isNameOfLink(value))) return false;
  return isServiceUrl(environment[`${linked}_PORT`] ?? '');
}
