// Made by `npm run docs` from the operations.

import type { Route } from './route.js';

/** The routes of the contract. */
export const CONTRACT_ROUTES: readonly Route[] = [
  {"name":"access.check","method":"GET","path":"/v1/access","input":true,"answer":"object","waits":false},
  {"name":"projects.retrieve","method":"GET","path":"/v1/project","input":false,"answer":"object","waits":false},
  {"name":"plans.list","method":"GET","path":"/v1/plans","input":false,"answer":"object","waits":false},
  {"name":"plans.retrieve","method":"GET","path":"/v1/plans/{slug}","input":false,"answer":"object","waits":false},
  {"name":"subscriptions.create","method":"POST","path":"/v1/subscriptions","input":true,"answer":"object","waits":false},
  {"name":"subscriptions.transaction","method":"POST","path":"/v1/subscriptions/{id}/transaction","input":false,"answer":"object","waits":false},
  {"name":"subscriptions.submit","method":"POST","path":"/v1/subscriptions/{id}/submit","input":true,"answer":"object","waits":true},
  {"name":"subscriptions.list","method":"GET","path":"/v1/subscriptions","input":true,"answer":"page","waits":false},
  {"name":"subscriptions.retrieve","method":"GET","path":"/v1/subscriptions/{id}","input":false,"answer":"object","waits":false},
  {"name":"subscriptions.attempts","method":"GET","path":"/v1/subscriptions/{id}/attempts","input":true,"answer":"page","waits":false},
  {"name":"subscriptions.retry","method":"POST","path":"/v1/subscriptions/{id}/retry","input":false,"answer":"object","waits":false},
  {"name":"subscriptions.cancel","method":"POST","path":"/v1/subscriptions/{id}/cancel","input":false,"answer":"object","waits":false},
  {"name":"subscriptions.confirmCancel","method":"POST","path":"/v1/subscriptions/{id}/cancel/confirm","input":true,"answer":"object","waits":true},
  {"name":"subscriptions.resume","method":"POST","path":"/v1/subscriptions/{id}/resume","input":false,"answer":"object","waits":false},
  {"name":"subscriptions.confirmResume","method":"POST","path":"/v1/subscriptions/{id}/resume/confirm","input":true,"answer":"object","waits":true},
  {"name":"subscriptions.close","method":"POST","path":"/v1/subscriptions/{id}/close","input":false,"answer":"object","waits":false},
  {"name":"subscriptions.confirmClose","method":"POST","path":"/v1/subscriptions/{id}/close/confirm","input":true,"answer":"object","waits":true},
  {"name":"events.list","method":"GET","path":"/v1/events","input":true,"answer":"page","waits":false},
  {"name":"events.retrieve","method":"GET","path":"/v1/events/{id}","input":false,"answer":"object","waits":false},
];

/** The routes of checkouts, portals and plan links. */
export const SESSION_ROUTES: readonly Route[] = [
  {"name":"checkouts.create","method":"POST","path":"/checkout/v1/sessions","input":true,"answer":"object","waits":false},
  {"name":"checkouts.retrieve","method":"GET","path":"/checkout/v1/sessions/{id}","input":false,"answer":"object","waits":false},
  {"name":"portal.create","method":"POST","path":"/portal/v1/sessions","input":true,"answer":"object","waits":false},
  {"name":"links.create","method":"POST","path":"/checkout/v1/links","input":true,"answer":"object","waits":false},
  {"name":"links.list","method":"GET","path":"/checkout/v1/links","input":false,"answer":"object","waits":false},
  {"name":"links.end","method":"POST","path":"/checkout/v1/links/{id}/end","input":false,"answer":"object","waits":false},
];

/** The routes of wallets. */
export const WALLET_ROUTES: readonly Route[] = [
  {"name":"wallets.subscriptions","method":"GET","path":"/wallet/v1/{wallet}/subscriptions","input":true,"answer":"page","waits":false},
  {"name":"wallets.transaction","method":"POST","path":"/wallet/v1/{wallet}/subscriptions/{id}/transaction","input":true,"answer":"object","waits":false},
  {"name":"wallets.submit","method":"POST","path":"/wallet/v1/{wallet}/subscriptions/{id}/submit","input":true,"answer":"object","waits":false},
  {"name":"wallets.confirm","method":"POST","path":"/wallet/v1/{wallet}/subscriptions/{id}/confirm","input":true,"answer":"object","waits":true},
];

/** The management routes of the service. */
export const SERVICE_ROUTES: readonly Route[] = [
  {"name":"projects.create","method":"POST","path":"/manage/v1/projects","input":true,"answer":"object","waits":false},
  {"name":"projects.list","method":"GET","path":"/manage/v1/projects","input":false,"answer":"list","waits":false},
  {"name":"secrets.reseal","method":"POST","path":"/manage/v1/secrets/reseal","input":false,"answer":"object","waits":false},
  {"name":"management.createKey","method":"POST","path":"/manage/v1/management-keys","input":true,"answer":"object","waits":false},
  {"name":"management.listKeys","method":"GET","path":"/manage/v1/management-keys","input":false,"answer":"list","waits":false},
  {"name":"management.revokeKey","method":"POST","path":"/manage/v1/management-keys/{id}/revoke","input":false,"answer":"nothing","waits":false},
  {"name":"management.auditEntries","method":"GET","path":"/manage/v1/audit-entries","input":true,"answer":"page","waits":false},
];

/** The management routes of one project. */
export const PROJECT_ROUTES: readonly Route[] = [
  {"name":"projects.detail","method":"GET","path":"/manage/v1/projects/{project}","input":false,"answer":"object","waits":false},
  {"name":"projects.update","method":"POST","path":"/manage/v1/projects/{project}","input":true,"answer":"object","waits":false},
  {"name":"projects.look","method":"GET","path":"/manage/v1/projects/{project}/look","input":false,"answer":"object","waits":false},
  {"name":"projects.updateLook","method":"POST","path":"/manage/v1/projects/{project}/look","input":true,"answer":"object","waits":false},
  {"name":"projects.seller","method":"GET","path":"/manage/v1/projects/{project}/seller","input":false,"answer":"object","waits":false},
  {"name":"projects.updateSeller","method":"POST","path":"/manage/v1/projects/{project}/seller","input":true,"answer":"object","waits":false},
  {"name":"projects.delete","method":"POST","path":"/manage/v1/projects/{project}/delete","input":false,"answer":"nothing","waits":false},
  {"name":"keys.create","method":"POST","path":"/manage/v1/projects/{project}/keys","input":true,"answer":"object","waits":false},
  {"name":"keys.list","method":"GET","path":"/manage/v1/projects/{project}/keys","input":false,"answer":"list","waits":false},
  {"name":"keys.rotate","method":"POST","path":"/manage/v1/projects/{project}/keys/{id}/rotate","input":true,"answer":"object","waits":false},
  {"name":"keys.revoke","method":"POST","path":"/manage/v1/projects/{project}/keys/{id}/revoke","input":false,"answer":"nothing","waits":false},
  {"name":"plans.create","method":"POST","path":"/manage/v1/projects/{project}/plans","input":true,"answer":"object","waits":false},
  {"name":"plans.publish","method":"POST","path":"/manage/v1/projects/{project}/plans/{slug}/publish","input":false,"answer":"object","waits":false},
  {"name":"plans.confirmPublish","method":"POST","path":"/manage/v1/projects/{project}/plans/{slug}/publish/confirm","input":false,"answer":"object","waits":false},
  {"name":"plans.all","method":"GET","path":"/manage/v1/projects/{project}/plans","input":false,"answer":"list","waits":false},
  {"name":"plans.detail","method":"GET","path":"/manage/v1/projects/{project}/plans/{slug}","input":false,"answer":"object","waits":false},
  {"name":"plans.update","method":"POST","path":"/manage/v1/projects/{project}/plans/{slug}","input":true,"answer":"object","waits":false},
  {"name":"plans.discard","method":"POST","path":"/manage/v1/projects/{project}/plans/{slug}/discard","input":false,"answer":"object","waits":false},
  {"name":"plans.sunset","method":"POST","path":"/manage/v1/projects/{project}/plans/{slug}/sunset","input":true,"answer":"object","waits":false},
  {"name":"plans.shorten","method":"POST","path":"/manage/v1/projects/{project}/plans/{slug}/shorten","input":true,"answer":"object","waits":false},
  {"name":"plans.changePullers","method":"POST","path":"/manage/v1/projects/{project}/plans/{slug}/pullers","input":true,"answer":"object","waits":false},
  {"name":"plans.submit","method":"POST","path":"/manage/v1/projects/{project}/plans/{slug}/submit","input":true,"answer":"object","waits":false},
  {"name":"plans.confirmUpdate","method":"POST","path":"/manage/v1/projects/{project}/plans/{slug}/confirm","input":true,"answer":"object","waits":false},
  {"name":"plans.delete","method":"POST","path":"/manage/v1/projects/{project}/plans/{slug}/delete","input":false,"answer":"object","waits":false},
  {"name":"plans.confirmDelete","method":"POST","path":"/manage/v1/projects/{project}/plans/{slug}/delete/confirm","input":false,"answer":"object","waits":false},
  {"name":"subscriptions.search","method":"GET","path":"/manage/v1/projects/{project}/subscriptions","input":true,"answer":"object","waits":false},
  {"name":"subscriptions.count","method":"GET","path":"/manage/v1/projects/{project}/subscriptions/count","input":true,"answer":"object","waits":false},
  {"name":"subscriptions.failing","method":"GET","path":"/manage/v1/projects/{project}/subscriptions/failing","input":true,"answer":"object","waits":false},
  {"name":"subscriptions.cannotPay","method":"GET","path":"/manage/v1/projects/{project}/subscriptions/cannot-pay","input":true,"answer":"object","waits":false},
  {"name":"subscriptions.export","method":"GET","path":"/manage/v1/projects/{project}/subscriptions/export","input":true,"answer":"text","waits":false},
  {"name":"subscriptions.detail","method":"GET","path":"/manage/v1/projects/{project}/subscriptions/{id}","input":false,"answer":"object","waits":false},
  {"name":"subscriptions.update","method":"POST","path":"/manage/v1/projects/{project}/subscriptions/{id}","input":true,"answer":"object","waits":false},
  {"name":"subscriptions.explain","method":"GET","path":"/manage/v1/projects/{project}/subscriptions/{id}/explain","input":false,"answer":"object","waits":false},
  {"name":"payments.list","method":"GET","path":"/manage/v1/projects/{project}/payments","input":true,"answer":"object","waits":false},
  {"name":"payments.recordRefund","method":"POST","path":"/manage/v1/projects/{project}/payments/{id}/refunds","input":true,"answer":"object","waits":false},
  {"name":"payments.receipt","method":"GET","path":"/manage/v1/projects/{project}/payments/{id}/receipt","input":false,"answer":"object","waits":false},
  {"name":"payments.export","method":"GET","path":"/manage/v1/projects/{project}/payments/export","input":true,"answer":"text","waits":false},
  {"name":"endpoints.create","method":"POST","path":"/manage/v1/projects/{project}/endpoints","input":true,"answer":"object","waits":false},
  {"name":"endpoints.list","method":"GET","path":"/manage/v1/projects/{project}/endpoints","input":false,"answer":"list","waits":false},
  {"name":"endpoints.retrieve","method":"GET","path":"/manage/v1/projects/{project}/endpoints/{id}","input":false,"answer":"object","waits":false},
  {"name":"endpoints.update","method":"POST","path":"/manage/v1/projects/{project}/endpoints/{id}","input":true,"answer":"object","waits":false},
  {"name":"endpoints.enable","method":"POST","path":"/manage/v1/projects/{project}/endpoints/{id}/enable","input":false,"answer":"object","waits":false},
  {"name":"endpoints.disable","method":"POST","path":"/manage/v1/projects/{project}/endpoints/{id}/disable","input":false,"answer":"object","waits":false},
  {"name":"endpoints.delete","method":"POST","path":"/manage/v1/projects/{project}/endpoints/{id}/delete","input":false,"answer":"nothing","waits":false},
  {"name":"endpoints.test","method":"POST","path":"/manage/v1/projects/{project}/endpoints/{id}/test","input":true,"answer":"object","waits":false},
  {"name":"endpoints.recover","method":"POST","path":"/manage/v1/projects/{project}/endpoints/{id}/recover","input":true,"answer":"object","waits":false},
  {"name":"endpoints.rotateSecret","method":"POST","path":"/manage/v1/projects/{project}/endpoints/{id}/secret","input":true,"answer":"object","waits":false},
  {"name":"deliveries.list","method":"GET","path":"/manage/v1/projects/{project}/deliveries","input":true,"answer":"page","waits":false},
  {"name":"deliveries.retrieve","method":"GET","path":"/manage/v1/projects/{project}/deliveries/{id}","input":false,"answer":"object","waits":false},
  {"name":"deliveries.resend","method":"POST","path":"/manage/v1/projects/{project}/deliveries/resend","input":true,"answer":"object","waits":false},
  {"name":"doctor.examine","method":"GET","path":"/manage/v1/projects/{project}/doctor","input":true,"answer":"object","waits":false},
  {"name":"reports.upcoming","method":"GET","path":"/manage/v1/projects/{project}/upcoming","input":true,"answer":"object","waits":false},
  {"name":"reports.schedule","method":"GET","path":"/manage/v1/projects/{project}/schedule","input":true,"answer":"object","waits":false},
  {"name":"reports.overview","method":"GET","path":"/manage/v1/projects/{project}/overview","input":true,"answer":"object","waits":false},
  {"name":"reports.figures","method":"GET","path":"/manage/v1/projects/{project}/figures","input":true,"answer":"object","waits":false},
  {"name":"reports.export","method":"GET","path":"/manage/v1/projects/{project}/figures/export","input":true,"answer":"text","waits":false},
  {"name":"reports.cohorts","method":"GET","path":"/manage/v1/projects/{project}/cohorts","input":true,"answer":"object","waits":false},
  {"name":"reports.rebuild","method":"POST","path":"/manage/v1/projects/{project}/figures/rebuild","input":true,"answer":"object","waits":false},
];
