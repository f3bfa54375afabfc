import { Overview, OverviewQuery } from '../../contract/overview.js';
import { Schedule, ScheduleQuery, UpcomingPage, UpcomingQuery } from '../../contract/report.js';
import { operation } from '../operation.js';
import { readOverview } from './overview.js';
import { readSchedule } from './schedule.js';
import { listUpcoming } from './upcoming.js';

/** Reports: what comes next in a project, and how it went. */
export const reportOperations = [
  operation({
    name: 'reports.upcoming',
    scope: 'management',
    method: 'GET',
    path: '/manage/v1/projects/{project}/upcoming',
    input: UpcomingQuery.prefault({}),
    output: UpcomingPage,
    status: 200,
    notFound: null,
    errors: [],
    summary: "A project's upcoming charges, retries and ends, soonest first.",
    run: ({ service, project, input }) => listUpcoming(service, project, input),
  }),
  operation({
    name: 'reports.schedule',
    scope: 'management',
    method: 'GET',
    path: '/manage/v1/projects/{project}/schedule',
    input: ScheduleQuery.prefault({}),
    output: Schedule,
    status: 200,
    notFound: null,
    errors: [],
    summary: 'How much is due on each of the next days, in each token.',
    run: ({ service, project, input }) => readSchedule(service, project, input),
  }),
  operation({
    name: 'reports.overview',
    scope: 'management',
    method: 'GET',
    path: '/manage/v1/projects/{project}/overview',
    input: OverviewQuery.prefault({}),
    output: Overview,
    status: 200,
    notFound: null,
    errors: [],
    summary:
      'What was collected, failed, won back and lost in the last 7, 30 or 90 days, and what is still owed.',
    run: ({ service, project, input }) => readOverview(service, project, input),
  }),
] as const;
