export { openSmtpMailer, type SmtpMailer } from './mailer.js';
