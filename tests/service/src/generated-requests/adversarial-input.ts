import fc from 'fast-check';

/** Texts that break services: markup, escapes, control characters, half surrogate pairs, member names. */
export const adversarialText = fc.oneof(
  fc.constantFrom(
    ...['', ' ', '\0', 'a\0b', '\u0085', '\u2028', '\ufeff', '\ud800', 'x\udc00y', '💸', 'é'.repeat(300)],
    ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'null', 'undefined', 'NaN'],
    ...[
      '../..',
      '..%2f..',
      '%',
      '%00',
      '%ff',
      '%C0%AF',
      '%2e%2e',
      "'; drop table subscriptions --",
      '{{7*7}}',
    ],
    ...['<script>', '${1}', '-0', '1e999', '0x10', '9'.repeat(400), 'true', '[]', '{}', 'a'.repeat(70_000)],
  ),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 300, size: 'max' }),
);

/** JSON of every type, with unusual keys and depths. */
export const adversarialJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, [], {}, [null], ['pro'], { a: {} }),
  adversarialText,
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer({ min: 1, max: 400 }).map(nested),
);

function nested(depth: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { inner: value };
  return value;
}

/** Bodies that no route takes: broken JSON, other values, bytes that are no text, depths past any parser. */
export const adversarialBody: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '{',
      '{"plan":',
      'null',
      '[]',
      '"pro"',
      '17',
      '{}x',
      '\ufeff{}',
      "{'plan':'pro'}",
      '{"a":1e999}',
    ],
    ...['['.repeat(20_000), `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, '{"__proto__":{"plan":"pro"}}'],
  ),
  fc.json({ maxDepth: 4 }),
  adversarialText,
  fc.uint8Array({ maxLength: 60 }),
);

export const adversarialHeaders = fc.dictionary(
  fc.constantFrom(
    ...['Content-Type', 'Service-Version', 'Service-Request-Id', 'Content-Length', 'Accept', 'Mesub-Version'],
    ...[
      'X-Forwarded-For',
      'X-HTTP-Method-Override',
      'Content-Encoding',
      'Transfer-Encoding',
      'Cookie',
      'Host',
    ],
  ),
  fc.oneof(
    fc.constantFrom(
      'application/json',
      'application/json; charset=utf-16',
      'application/vnd.x+json',
      'text/plain',
    ),
    fc.constantFrom('2026-10-02', '2026-10-03', 'latest', '', 'PUT', 'DELETE', 'gzip', 'req_0', '127.0.0.1'),
    fc.constantFrom(
      '-1',
      '0',
      '1e9',
      '99999999999999999999',
      '0x20',
      'NaN',
      '100001',
      '; =,',
      'a'.repeat(4_000),
    ),
    fc.string({ maxLength: 20, unit: fc.constantFrom(...Array.from('abc/=;,. 09-*"\\é')) }),
  ),
  { minKeys: 1, maxKeys: 3 },
);

export const adversarialVersion = fc.constantFrom(
  '2026-10-02',
  '2026-10-01',
  '2026-10-2',
  'latest',
  'v1',
  '',
  '*',
  '2026-10-02, 2026-10-02',
);
