/** Says which rows an answer lacks because the store cannot read them: without that it would look whole. */
export function leftOut(unreadable: readonly string[]): string {
  if (unreadable.length === 0) return '';
  return `\nLeft out, because they cannot be read: ${unreadable.join(', ')}. "subrail doctor" says what to do.\n`;
}
