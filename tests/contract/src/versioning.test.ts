import { describe, expect, it } from 'vitest';
import { statusAndCode } from './scenario.js';
import { openSuite } from './suite.js';

const suite = openSuite();

describe('versioning', () => {
  it('serves 2026-10-02', async () => {
    const { api } = await suite.scenario();
    expect(statusAndCode(await api.get('/project', {}, { 'service-version': '2026-10-02' }))).toBe('200');
  });

  it('serves the first version without the header', async () => {
    const { api } = await suite.scenario();
    const answer = await api.get('/project');
    expect([statusAndCode(answer), answer.headers.get('service-version')]).toEqual(['200', '2026-10-02']);
  });

  it.each(['2026-10-01', 'latest', '', '2026-10-02T00:00:00Z', 'v1'])(
    'refuses any other value: %j',
    async (version) => {
      const { api } = await suite.scenario();
      const answer = await api.get('/project', {}, { 'service-version': version });
      expect(statusAndCode(answer)).toBe('400 unsupported_version');
      expect(answer.body['message']).toContain('2026-10-02');
    },
  );

  it('answers an unserved version in the form of the first', async () => {
    const { api } = await suite.scenario();
    const answer = await api.get('/project', {}, { 'service-version': 'latest' });
    expect(answer.headers.get('service-version')).toBe('2026-10-02');
  });

  // events#event-body-fields
  it('names the version of data and detail in api_version of an event', async () => {
    const scenario = await suite.scenario();
    const id = await scenario.subscribe(await scenario.wallet());
    const versions = (await scenario.events(id)).map((event) => event.api_version);
    expect(versions).toEqual(['2026-10-02', '2026-10-02']);
  });
});
