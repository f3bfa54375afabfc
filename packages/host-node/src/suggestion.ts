import { Command, type CommanderError } from 'commander';

/**
 * The suggestion of the library, as a sentence after another; empty without a suggestion.
 * @param spell writes a suggested name as it is typed
 */
export function suggestionOf(
  { message }: CommanderError,
  spell: (name: string) => string = (name) => name,
): string {
  const [, names] = /\(Did you mean (?:one of )?([^)]*)\?\)/.exec(message) ?? [];
  return names === undefined ? '' : ` Did you mean ${names.split(', ').map(spell).join(', ')}?`;
}

/** The suggestion for a word that is none of these names: the library compares only names of commands. */
export function similarTo(word: string, names: readonly string[], spell?: (name: string) => string): string {
  const root = new Command().helpCommand(false).helpOption(false).exitOverride();
  root.configureOutput({ writeErr: () => undefined });
  for (const name of names) root.command(name);
  try {
    root.parse([word], { from: 'user' });
    return '';
  } catch (error) {
    return suggestionOf(error as CommanderError, spell);
  }
}
