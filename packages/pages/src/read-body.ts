import type { HandlerRequest } from '@subrail/core';

/** The object in a body of JSON; null for anything else, and for more than `most` characters. */
export async function readBody(
  { body }: HandlerRequest,
  most: number,
): Promise<Readonly<Record<string, unknown>> | null> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > most) return null;
  }
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
