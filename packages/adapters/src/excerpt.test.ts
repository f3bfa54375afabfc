import { expect, test } from 'vitest';
import { excerptOf } from './excerpt.js';

test('an excerpt has no character that a database refuses, whatever an endpoint answers', () => {
  expect(excerptOf(new Uint8Array([111, 0, 107, 255]))).toBe('o\uFFFDk\uFFFD');
});
