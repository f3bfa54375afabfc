import type { RequestHandler } from '@subrail/core';
import type { McpRouteOptions } from './route.js';

/**
 * Serves MCP at `/manage/mcp`, and passes every other path to `handle`, which has to serve the routes of
 * management. The route is loaded at its first request, because few services have an assistant.
 */
export function withMcp(handle: RequestHandler, options: McpRouteOptions): RequestHandler {
  const path = `${options.basePath}/manage/mcp`;
  let route: Promise<RequestHandler> | null = null;
  const load = async () => (await import('./route.js')).createMcpRoute(handle, options);
  return async (request) => (request.path === path ? (await (route ??= load()))(request) : handle(request));
}
