export * from './demo-project.js';
export * from './token.js';
export * from './wallet.js';
