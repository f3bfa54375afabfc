import { OPERATIONS } from './check-answer.js';
import type { CheckedAnswer } from './step-runner.js';

/** Counts how often each documented answer was given, which shows what the generator reaches. */
export class Coverage {
  private readonly counts = new Map<string, number>();
  answers = 0;

  add(answers: readonly CheckedAnswer[]): void {
    for (const { operation, method, answer, body } of answers) {
      this.answers += 1;
      if (operation === null || method === 'HEAD') continue;
      const code = typeof body['code'] === 'string' ? ` ${body['code']}` : '';
      const name = `${operation} ${answer.status}${code}`;
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    }
  }

  /** Successes that were answered less often than `least`, each with its count. */
  rareSuccesses(least: number): readonly string[] {
    return [...OPERATIONS].flatMap(([name, { responses }]) =>
      Object.keys(responses)
        .filter((status) => status.startsWith('2'))
        .map((status) => [`${name} ${status}`, this.counts.get(`${name} ${status}`) ?? 0] as const)
        .flatMap(([success, count]) => (count < least ? [`${success}: ${count}`] : [])),
    );
  }

  /** Every documented code of an operation that was never answered. */
  missingCodes(): readonly string[] {
    return [...OPERATIONS].flatMap(([name, { responses }]) =>
      Object.entries(responses).flatMap(([status, { content }]) =>
        (Number(status) < 400 ? [] : Object.keys(content?.['application/json']?.examples ?? {}))
          .filter((code) => !this.counts.has(`${name} ${status} ${code}`))
          .map((code) => `${name}: ${code}`),
      ),
    );
  }
}
