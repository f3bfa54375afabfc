import type { ManagedProject } from '@subrail/core/schemas';
import type { TemplateResult } from 'lit';
import type { ProjectRoutes, Session } from './api.js';
import type { Place } from './place.js';

/** What a page of the dashboard gets. */
export interface Context {
  readonly session: Session;
  /** Whether the key may act. */
  readonly mayAct: boolean;
  readonly project: ManagedProject;
  readonly place: Place;
  readonly routes: ProjectRoutes;
  /** Runs an action, says its sentence or why it was refused, and reads the page again. */
  readonly act: (action: () => Promise<string | null>) => void;
}

/** A page that was read. */
export interface Shown {
  readonly title: string;
  view(): TemplateResult;
}

/** A page: reads what it shows. */
export type Page = (context: Context) => Promise<Shown>;
