export { openSmtpMailer, type SmtpMailer } from './mailer.js';
export type { DkimKey, SmtpOptions } from './options.js';
