import { expect, it } from 'vitest';

import { serviceFixture } from '../http/tests/fixtures.js';
import type { Span, FullStore, Telemetry } from '../ports/index.js';
import { partialPort } from '../testing/partial-port.js';
import { measuredStore } from './measured-store.js';

/** Telemetry that keeps the names of the spans, each after the names of the spans around it. */
function recorder() {
  const spans: string[] = [];
  const open: string[] = [];
  const telemetry: Telemetry = {
    async span({ kind, name }: Span, work) {
      open.push(`${kind} ${name}`);
      spans.push(open.join(' > '));
      try {
        return await work(() => undefined);
      } finally {
        open.pop();
      }
    },
    late: () => undefined,
  };
  return { spans, telemetry };
}

// alerts#telemetry
it('measures every call of a store, those in a transaction included, and passes results on', async () => {
  const { spans, telemetry } = recorder();
  const store: FullStore = Object.freeze(
    partialPort<FullStore>({
      nextWakeAt: async () => new Date(5),
      listProjects: () => Promise.reject(new Error('disk')),
      transaction: (work) => work(partialPort<FullStore>({ nextWakeAt: async () => null })),
    }),
  );
  const measured = measuredStore(store, telemetry);
  expect(await measured.nextWakeAt()).toEqual(new Date(5));
  await expect(measured.listProjects()).rejects.toThrow('disk');
  expect(await measured.transaction((operations) => operations.nextWakeAt())).toBeNull();
  expect(spans).toEqual([
    'store nextWakeAt',
    'store listProjects',
    'store transaction',
    'store transaction > store nextWakeAt',
  ]);
});

// alerts#telemetry
it('tells a transaction that its caller gives up from one that the store cannot make', async () => {
  const ends: string[] = [];
  const telemetry: Telemetry = {
    span: ({ name }, work) => work(({ outcome, failed }) => void ends.push(`${name} ${outcome} ${failed}`)),
    late: () => undefined,
  };
  const refused = new Error('The project has 20 endpoints.');
  const giveUp = () => Promise.reject(refused);
  const works = partialPort<FullStore>({ transaction: (work) => work(partialPort<FullStore>({})) });
  const fails = partialPort<FullStore>({ transaction: () => Promise.reject(new Error('disk')) });
  await expect(measuredStore(works, telemetry).transaction(giveUp)).rejects.toBe(refused);
  await expect(measuredStore(fails, telemetry).transaction(giveUp)).rejects.toThrow('disk');
  expect(ends).toEqual(['transaction undone false']);
});

// alerts#telemetry
it('leaves the store as it is when nothing measures', () => {
  const { billing } = serviceFixture({ store: { nextWakeAt } });
  expect(Reflect.get(billing.service.store, 'nextWakeAt')).toBe(nextWakeAt);
});

const nextWakeAt = async () => null;
