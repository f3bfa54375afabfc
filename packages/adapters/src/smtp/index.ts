export { openSmtpMailer, type SmtpMailer } from './mailer.js';
export { isDkimKey, smtpAddressFault, type SmtpOptions } from './options.js';
