export * from './localnet.js';
export * from './runtime/program.js';
