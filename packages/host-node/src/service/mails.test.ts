import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { aCommit, aMail, aPlan, aProject, aSubscription } from '@subrail/core/testing';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { runHere } from '../command/tests/fake-terminal.js';
import { readConfig } from '../config/read-config.js';
import { openLocalEnvironment } from '../local/local-environment.js';
import { openService } from './open-service.js';

/** A host that sends by a mail server on this machine, which takes every mail. */
async function openMailHost() {
  const arrived: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, _session, done) =>
      void text(stream).then((mail) => {
        arrived.push(mail);
        done();
      }),
  });
  onTestFinished(() => server.close());
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const folder = mkdtempSync(join(tmpdir(), 'subrail-mails-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const environment = {
    SUBRAIL_PORT: '0',
    SUBRAIL_LOCALNET_PORT: '0',
    SUBRAIL_SMTP_URL: `smtp://127.0.0.1:${port}`,
    SUBRAIL_MAIL_FROM: 'billing@shop.example',
  };
  const config = readConfig(environment, folder);
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const service = await openService(config, await openLocalEnvironment(config, logger), logger);
  onTestFinished(() => service.close());
  const { store } = service.billing.service;
  const project = aProject({ name: 'Night Library' });
  await store.insertProject(project);
  return { ...{ arrived, server, folder, environment, project, store }, billing: service.billing };
}

test('sends mails by the mail server of the settings', async () => {
  const { arrived, billing, project, store } = await openMailHost();
  const plan = aPlan({ projectId: project.id });
  const email = 'ada@example.com';
  const subscription = aSubscription({ projectId: project.id, planId: plan.id, email });
  const mail = aMail({
    projectId: project.id,
    subscriptionId: subscription.id,
    email,
    nextAttemptAt: new Date(0),
  });
  await store.insertPlan(plan);
  await store.commit([aCommit(subscription, { mails: [mail] })]);
  expect(await billing.worker.sendMails()).toMatchObject({ sent: 1 });
  expect(arrived).toHaveLength(1);
  expect(arrived[0]).toContain(`Message-ID: <${mail.id}@shop.example>`);
  expect(arrived[0]).toContain('From: Night Library <billing@shop.example>');
  expect(arrived[0]).toContain('To: ada@example.com');
});

// mails#test-mail
test('a command on the database sends a test mail, and leaves no connection open', async () => {
  const { arrived, server, folder, environment, project } = await openMailHost();
  const { code, stdout } = await runHere(
    ['mail', 'test', '--to', 'desk@shop.example', '--project', project.id],
    { folder, environment },
  );
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^The mail server took the mail over\./) as string,
  ]);
  expect(arrived).toEqual([expect.stringContaining('To: desk@shop.example') as string]);
  await expect.poll(() => server.connections.size).toBe(0);
});
