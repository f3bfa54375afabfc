import type { TestProject } from 'vitest/node';

/** Prepares a project of tests whose every store is then in memory. */
export default function setup(project: TestProject): void {
  project.provide('everyStore', { kind: 'memory' });
}
