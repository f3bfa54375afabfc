import { addCommand, type Group } from '../command-tree.js';
import { PROJECT_OPTION } from '../managed.js';
import { flag } from '../option.js';
import { PLACE_OPTIONS, placeOf } from '../place.js';

/** `subrail mcp`. */
export function addMcpCommand(root: Group): void {
  addCommand(root, {
    usage: 'mcp',
    about: 'Serve management to an assistant: MCP over stdin and stdout, with tools that read.',
    example: 'subrail mcp --url https://billing.example.com --key-file reading-key',
    options: {
      act: flag('offer the tools that change something, too'),
      ...PROJECT_OPTION,
      ...PLACE_OPTIONS,
    },
    async run({ terminal, options }) {
      const place = placeOf(options, terminal);
      const { openManager } = await import('../open-manager.js');
      const { serveMcp } = await import('../../mcp/serve-mcp.js');
      const opened = await openManager(place, terminal);
      try {
        await serveMcp({
          manager: opened.manager,
          acts: options.act === true,
          project: options.project ?? terminal.environment['SUBRAIL_PROJECT'],
          terminal,
        });
        return 0;
      } finally {
        await opened.close();
      }
    },
  });
}
