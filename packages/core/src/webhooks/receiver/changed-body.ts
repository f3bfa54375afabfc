/** A body of which no signature is valid, as text and, when it was passed as bytes, as those. */
interface Received {
  readonly text: string;
  readonly bytes: Uint8Array | null;
}

/** A body as it may have been sent; null when it cannot have been. */
type Sent = string | Uint8Array | null;

/** Changes of a body between the service and the receiver, each with the ways back. */
const CHANGES: readonly { readonly how: string; readonly undo: (received: Received) => readonly Sent[] }[] = [
  {
    how: 'a byte order mark was put in front of it',
    undo: ({ text }) => [text.startsWith('\ufeff') ? text.slice(1) : null],
  },
  {
    how: 'it was encoded as base64, as some gateways do',
    undo: ({ text }) => [Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))],
  },
  {
    how: 'it was parsed and printed again',
    undo: ({ text }) => [JSON.stringify(JSON.parse(text))],
  },
  {
    how: 'its characters were read or written in another encoding than UTF-8',
    undo: ({ text, bytes }) => [bytesOfLatinText(text), bytes && LATIN.decode(bytes)],
  },
];

/** A body that is longer than this is no event, and its refusal is not looked into. */
const LONGEST = 200_000;

/**
 * Says which change of the body explains that no signature is valid, or null. `isSigned` tells whether a
 * signature is valid for another body.
 */
export async function whyNotSigned(
  body: string | Uint8Array,
  isSigned: (body: string | Uint8Array) => Promise<boolean>,
): Promise<string | null> {
  if (body.length === 0)
    return 'No signature of the request is valid, and its body is empty: something read it before.';
  if (body.length > LONGEST) return null;
  const received: Received =
    typeof body === 'string' ? { text: body, bytes: null } : { text: UTF8.decode(body), bytes: body };
  for (const { how, undo } of CHANGES) {
    for (const sent of undone(received, undo)) {
      if (sent !== null && (await isSigned(sent)))
        return `The signature is not valid for the body that was passed, and is valid for what was sent before ${how}. Pass the body as it arrived, before anything reads it.`;
    }
  }
  return received.text.includes('\ufffd')
    ? 'No signature of the request is valid, and its body has characters that could not be decoded: it was read in another encoding than UTF-8, or in pieces.'
    : null;
}

/** The bodies of which a change may have made this one; nothing when that change cannot have made it. */
function undone(received: Received, undo: (typeof CHANGES)[number]['undo']): readonly Sent[] {
  try {
    return undo(received);
  } catch {
    return [];
  }
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** By the standard of encodings this label is also what `latin1` names. */
const LATIN = new TextDecoder('windows-1252');

/** The byte of each character of windows-1252. */
const LATIN_BYTES: ReadonlyMap<string, number> = new Map(
  Array.from(LATIN.decode(Uint8Array.from({ length: 256 }, (_, code) => code)), (letter, code) => [
    letter,
    code,
  ]),
);

/** The bytes of which windows-1252 or Latin-1 made a text; null when neither can have made it. */
function bytesOfLatinText(text: string): Uint8Array | null {
  const codes = Array.from(text, (letter) => LATIN_BYTES.get(letter) ?? letter.charCodeAt(0));
  return codes.every((code) => code <= 0xff) ? Uint8Array.from(codes) : null;
}
