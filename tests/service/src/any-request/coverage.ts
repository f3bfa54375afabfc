import { OPERATIONS } from './document.js';
import type { Told } from './play.js';

/** How often each answer that the document tells was given: how a property knows what its generator reaches. */
export class Coverage {
  private readonly counts = new Map<string, number>();
  answers = 0;

  add(told: readonly Told[]): void {
    for (const { operation, method, answer, body } of told) {
      this.answers += 1;
      if (operation === null || method === 'HEAD') continue;
      const code = typeof body['code'] === 'string' ? ` ${body['code']}` : '';
      const name = `${operation} ${answer.status}${code}`;
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    }
  }

  /** Successes given less often than this, with how often they were. */
  rareSuccesses(least: number): readonly string[] {
    return [...OPERATIONS].flatMap(([name, { responses }]) =>
      Object.keys(responses)
        .filter((status) => status.startsWith('2'))
        .map((status) => [`${name} ${status}`, this.counts.get(`${name} ${status}`) ?? 0] as const)
        .flatMap(([success, count]) => (count < least ? [`${success}: ${count}`] : [])),
    );
  }

  /** Every code the document tells of an operation that was never answered. */
  unmetCodes(): readonly string[] {
    return [...OPERATIONS].flatMap(([name, { responses }]) =>
      Object.entries(responses).flatMap(([status, { content }]) =>
        (Number(status) < 400 ? [] : Object.keys(content?.['application/json'].examples ?? {}))
          .filter((code) => !this.counts.has(`${name} ${status} ${code}`))
          .map((code) => `${name}: ${code}`),
      ),
    );
  }
}
