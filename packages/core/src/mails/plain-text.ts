const WIDTH = 76;

/** Characters that end a line, move what is around them, or are half of one. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]+/gu;

/**
 * A text as one line that reads in the order in which it is written
 * (mails#nothing-of-a-stranger-in-a-header).
 */
export function oneLine(text: string): string {
  return text.replace(UNSAFE, ' ').replace(/ {2,}/g, ' ').trim();
}

/** A paragraph in lines that every mail program shows whole. A longer word, such as a link, stays whole. */
export function wrapped(paragraph: string): string {
  const lines = [''];
  for (const word of paragraph.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
