// The configuration
export { ConfigError } from './config/config-error.js';
export { readConfig, type Config } from './config/read-config.js';
// The service and its worker
export { configuredEnvironment, type Environment } from './service/environment.js';
export { openService, type OpenService } from './service/open-service.js';
// HTTP
export { serve, type Server } from './http/serve.js';
// The log
export { createLogger } from './log/logger.js';
