export * from './days.js';
export * from './new-id.js';
export * from './no-mail-facts.js';
export * from './plan.js';
export * from './stored-records.js';
