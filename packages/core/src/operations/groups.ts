import type { Operation } from './operation.js';

/** The operations of a table by group, each with the name of its member: `plans.create` is the member `create` of `plans`. */
export type Groups = ReadonlyMap<string, readonly (readonly [member: string, operation: Operation])[]>;

/** Groups the operations of a table by their names. */
export function groupsOf(table: readonly Operation[]): Groups {
  const groups = new Map<string, (readonly [string, Operation])[]>();
  for (const operation of table) {
    const [group = '', member = ''] = operation.name.split('.');
    groups.set(group, [...(groups.get(group) ?? []), [member, operation]]);
  }
  return groups;
}

/** Whether an operation works on one project: it is the first thing that its callers name. */
export function isOfProject({ parameters }: Operation): boolean {
  return parameters[0] === 'project';
}
