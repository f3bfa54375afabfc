import type * as z from 'zod';

import { ServiceError } from '../../contract/errors.js';
import { toWireDate } from '../../contract/scalars.js';
import type { LinkInput, LinkList, LinkWire } from '../../contract/session.js';
import { newId, type Link, type LinkId, type PlanId, type Project } from '../../records/index.js';
import type { Service } from '../../service.js';
import { requireCapability } from '../../service/store-capabilities.js';
import { readSlugs } from '../plans/find-plans.js';
import { requireOncePublishedPlan } from '../require.js';
import { pageUrl, requireReturnUrls } from './page-addresses.js';
import { requireOfferablePlan } from './require-offerable-plan.js';

/** Makes a plan link (checkout-sessions#plan-links). */
export async function createLink(
  service: Service,
  project: Project,
  { plan: slug, replaces, ask_email, success_url }: z.output<typeof LinkInput>,
): Promise<LinkWire> {
  requireCapability(service, 'SessionStore');
  requireReturnUrls(service, { success_url });
  const plan = await requireOfferablePlan(service, project, slug);
  const replaced = replaces === undefined ? null : await requireOncePublishedPlan(service, project, replaces);
  if (replaced?.id === plan.id) throw invalid('"replaces" must be another plan than "plan".');
  if (replaced !== null && ask_email)
    throw invalid('"ask_email" must be absent with "replaces": the customer and the email stay.');
  const link: Link = {
    id: newId(service.random, 'lnk'),
    projectId: project.id,
    planId: plan.id,
    replacesPlanId: replaced?.id ?? null,
    askEmail: ask_email,
    successUrl: success_url ?? null,
    createdAt: service.clock.now(),
    endedAt: null,
  };
  await service.store.insertLink(link);
  return linkWire(service, link, await slugsOf(service, [link]));
}

function invalid(sentence: string): ServiceError {
  return new ServiceError('invalid_request', { sentences: [sentence] });
}

export async function listLinks(service: Service, project: Project): Promise<LinkList> {
  const links = await service.store.listLinks(project.id);
  const slugs = await slugsOf(service, links);
  return { links: links.map((link) => linkWire(service, link, slugs)) };
}

/** Ends a link, which keeps the date of its first end. Checkouts that it opened go on. */
export async function endLink(service: Service, project: Project, id: string): Promise<LinkWire> {
  const link = await service.store.endLink(project.id, id as LinkId, service.clock.now());
  if (link === null) throw new ServiceError('link_not_found');
  return linkWire(service, link, await slugsOf(service, [link]));
}

/** The slugs of the plans of links, by the plans' ids. */
function slugsOf(service: Service, links: readonly Link[]): Promise<ReadonlyMap<PlanId, string>> {
  const plans = links.flatMap(({ planId, replacesPlanId }) => [planId, replacesPlanId ?? planId]);
  return readSlugs(service, plans);
}

function linkWire(service: Service, link: Link, slugs: ReadonlyMap<PlanId, string>): LinkWire {
  const { planId, replacesPlanId } = link;
  return {
    id: link.id,
    url: pageUrl(service, `/checkout/${link.id}`),
    plan: slugs.get(planId) ?? '',
    replaces: replacesPlanId === null ? null : (slugs.get(replacesPlanId) ?? null),
    ask_email: link.askEmail,
    success_url: link.successUrl,
    created_at: toWireDate(link.createdAt),
    ended_at: toWireDate(link.endedAt),
  };
}
