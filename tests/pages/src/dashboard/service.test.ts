// Heavy: Chromium looks at the health of a service, its keys and its audit log.

import { PRICE } from '@subrail/test-world';
import { expect, it } from 'vitest';
import { expectEveryLook } from '../every-look.js';
import { press, shows } from '../scenarios/scene.js';
import { openDesk, rowsOf, settled } from './desk.js';

const desk = openDesk();

// dashboard#health
it('shows passes, the chain and the charger, and what to do about an alert', async () => {
  const { world } = desk;
  await world.subscribe(await world.wallet(10n * PRICE), 'ada');
  await world.work();
  await world.billing.worker.watch();
  const page = await desk.enter('health');
  await shows(page, 'No alert lasts on this host.');
  const passes = await rowsOf(page, 'Passes of the worker');
  expect(passes.find(([name]) => name === 'Charges')?.slice(0, 2)).toEqual(['Charges', 'Fine']);
  await shows(page, /^Pays for$/);
  await expectEveryLook(page, 'dashboard-health');
  world.localnet.setAccount(world.charger.address, { lamports: 1_000_000n });
  world.advance(600_000);
  await world.billing.worker.watch();
  await page.reload();
  const { alerts } = (await (await fetch(`${desk.pages.url}/health`)).json()) as {
    readonly alerts: readonly { readonly what: string }[];
  };
  expect(alerts.map(({ what }) => what).join()).toContain('Send SOL to the charger.');
  for (const { what } of alerts) await shows(page, what);
  await expectEveryLook(page, 'dashboard-health-alert');
});

// dashboard#keys-and-audit
it('creates, rotates and revokes keys, and lists who changed what', async () => {
  const page = await desk.enter('keys');
  await settled(page);
  const dialog = page.getByRole('dialog');
  await press(page, 'Create an API key');
  await dialog.getByLabel('Name').fill('Web <b>server</b>');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await shows(page, /^SUB_\w{43}$/);
  await press(page, 'Close');
  await shows(page, 'The key is created.');
  desk.world.advance(1_000);
  await press(page, 'Rotate: Web <b>server</b>');
  await dialog.getByLabel('The old key works for').selectOption('1');
  await dialog.getByRole('button', { name: 'Rotate' }).click();
  await shows(page, /^SUB_\w{43}$/);
  await press(page, 'Close');
  await shows(page, 'The key is rotated.');
  desk.world.advance(1_000);
  await page.getByRole('button', { name: 'Revoke: Web <b>server</b>' }).first().click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await shows(page, 'The key is revoked.');
  const states = (await rowsOf(page, /^API keys/)).map(([name, state]) => [name, state?.split(' ')[0]]);
  expect(states.slice(0, 2)).toEqual([
    ['Web <b>server</b>', 'Revoked'],
    ['Web <b>server</b>', 'Ends'],
  ]);
  const audit = await rowsOf(page, /^Changes/);
  expect(audit.slice(0, 3).map(([, who, ...row]) => [who?.split(' ')[0], ...row])).toEqual([
    ['Ada', 'Revokes an API key at once.', 'Web <b>server</b>', '—', 'Done'],
    [
      'Ada',
      'Replaces an API key by a new one with its name.',
      'Web <b>server</b>',
      'overlap hours: 1',
      'Done',
    ],
    ['Ada', 'Creates an API key of a project.', 'Web <b>server</b>', 'name: Web <b>server</b>', 'Done'],
  ]);
  await expectEveryLook(page, 'dashboard-keys');

  desk.world.advance(1_000);
  await press(page, 'Create a management key');
  await dialog.getByLabel('Name').fill('Eve');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await shows(page, /^SUBM_\w{43}$/);
  await press(page, 'Close');
  await shows(page, 'The key is created.');
  const [[name, access] = []] = await rowsOf(page, /^Management keys/);
  expect([name, access]).toEqual(['Eve', 'May read']);
  // The key of the log-in itself.
  await page.getByRole('button', { name: 'Revoke: Ada' }).first().click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await shows(page, 'This key opens nothing any more');
});
