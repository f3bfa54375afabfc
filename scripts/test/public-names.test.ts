// Heavy: the compiler reads every package.
import { relative } from 'node:path';
import { expect, it } from 'vitest';
import { exportsOf, publishedEntryPointSources } from '../tasks/entry-points.mjs';
import { readTexts, ROOT } from '../tasks/repository.mjs';

/**
 * Types that a user's compiler names in declarations that it infers, although nobody writes them: without
 * `ChargePass`, an app cannot export `() => billing.worker.charge()`.
 */
const INFERRED = `AccessQueryInput AccountState Alert BillingWithDefaults BillingWorker CallOptions ChargePass Config
  CreatePagesOptions DeliveryPass DialectTraits Environment FigurePass FiguresBefore Listed LocalService MoveSource MoveTarget MovementPlace
  NodeHttpSender OpenService PassState PricePass RecordedBilling RetentionPass RetryPolicy Server ServerCondition ServerState
  SnapshotPass SumName SubscriptionsQueryInput VerifiedWebhook
  TestBilling TestWebhook TokenNames TransactionResult WebhookTargets WorkerPass`;

const names = exportsOf(publishedEntryPointSources()).map(({ entryPoint, name, isValue }) => {
  const folder = relative(ROOT, entryPoint.file).replace(/src\/.*/, '');
  return { folder, entryPoint: entryPoint.name, name, isValue };
});

/** Where each name is imported, as lines of `@subrail/core#Billing docs/embed.md`. */
const imports = [...readTexts()].flatMap(([path, text]) => [
  ...[...text.matchAll(/\{([^{}]*)\}\s*from\s*'(@subrail\/[\w/-]+)'/g)].flatMap(([, list = '', from]) =>
    list.split(',').map((name) => `${from}#${/^\s*(?:type\s+)?(\w*)/.exec(name)?.[1]} ${path}`),
  ),
  ...[...text.matchAll(/import\('(@subrail\/[\w/-]+)'\)\.(\w+)/g)].map(
    ([, from, name]) => `${from}#${name} ${path}`,
  ),
]);

it('a name is exported by one entry point of its package', () => {
  const places = names.map(({ folder, name }) => `${folder} ${name}`);
  expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
});

it('a type is exported when someone outside its package writes it, or a compiler has to', () => {
  const isWritten = ({ folder, entryPoint, name }: (typeof names)[number]) =>
    imports.some(
      (line) =>
        line.startsWith(`${entryPoint}#${name} `) && (line.endsWith('.md') || !line.includes(` ${folder}`)),
    );
  const unwritten = names.filter((one) => !one.isValue && !isWritten(one)).map(({ name }) => name);
  expect(unwritten.sort()).toEqual(INFERRED.split(/\s+/).sort());
});
