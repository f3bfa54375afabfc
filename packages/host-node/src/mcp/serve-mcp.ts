import { once } from 'node:events';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { errorMessage } from '../command/error-message.js';
import type { Terminal } from '../command/terminal.js';
import { createMcpServer, type McpOptions } from './server.js';

const HOW_TO_ACT = 'Whoever starts "subrail mcp" allows such tools with --act.';

/** Serves MCP on stdin and stdout of this process, until stdin ends. Everything else goes to stderr. */
export async function serveMcp({
  terminal,
  ...options
}: Pick<McpOptions, 'manager' | 'acts' | 'project'> & {
  readonly terminal: Pick<Terminal, 'tell' | 'stopped'>;
}): Promise<void> {
  const report = (error: unknown) => terminal.tell(`${errorMessage(error)}\n`);
  const server = createMcpServer({ ...options, howToAct: HOW_TO_ACT, onFailure: report });
  server.onerror = ({ message }) => terminal.tell(`A message could not be read or answered: ${message}\n`);
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
  });
  const ended = once(process.stdin, 'end');
  await server.connect(new StdioServerTransport());
  terminal.tell(
    `Serves MCP on stdin and stdout, with tools that ${options.acts ? 'read and act' : 'read'}.\n`,
  );
  await Promise.race([ended, closed, ...(terminal.stopped === undefined ? [] : [terminal.stopped()])]);
  await server.close();
}
