// The part of curl that the lines printed by the host use, for machines without curl: -s, -H, -d and an
// address. Exits with 1 when the response is an error.

import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
  },
});
const [url = ''] = positionals;
const headers = values.header.map((header) => /** @type {[string, string]} */ (header.split(/:\s*/, 2)));
const request = values.data === undefined ? {} : { method: 'POST', body: values.data };
const response = await fetch(url, { headers, ...request });
console.log(await response.text());
process.exitCode = response.ok ? 0 : 1;
