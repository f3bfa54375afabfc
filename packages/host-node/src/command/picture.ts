import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { CommandFailed } from './errors.js';

const TYPES: Readonly<Record<string, string>> = {
  '.png': 'png',
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.webp': 'webp',
  '.svg': 'svg+xml',
};

/** Reads a picture as a data URL. The ending of its name says which kind it is. */
export async function readPicture(path: string): Promise<string> {
  const type = TYPES[extname(path).toLowerCase()];
  if (type === undefined)
    throw new CommandFailed(
      `The file ${path} is no picture that pages show. Name a .png, .jpg, .webp or .svg.`,
    );
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new CommandFailed(`The file ${path} cannot be read. Check its name.`, { cause });
  });
  return `data:image/${type};base64,${bytes.toString('base64')}`;
}
