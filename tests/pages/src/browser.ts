import { chromium, type Browser } from 'playwright-core';

/** The browser of the machine: Debian's by default. */
const EXECUTABLE = process.env['SUBRAIL_CHROMIUM'] ?? '/usr/bin/chromium';

/** Starts a headless browser whose own background requests are off. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: EXECUTABLE,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
