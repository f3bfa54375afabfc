declare const brand: unique symbol;
/** An id: the prefix of its kind, an underscore and 24 base62 characters. Each kind is a type of its own. */
type Id<Kind extends string> = string & { readonly [brand]: Kind };

/** Id of a project. */
export type ProjectId = Id<'proj'>;
/** Id of an API key. */
export type ApiKeyId = Id<'key'>;
/** Id of a plan. */
export type PlanId = Id<'plan'>;
/** Id of a subscription. */
export type SubscriptionId = Id<'sub'>;
/** Id of a transfer. */
export type TransferId = Id<'trf'>;
/** Id of an attempt. */
export type AttemptId = Id<'att'>;
/** Id of a movement. */
export type MovementId = Id<'mov'>;
/** Id of figures that are added. */
export type FiguresId = Id<'fig'>;
/** Id of an event. */
export type EventId = Id<'evt'>;
/** Id of a delivery, which is the `webhook-id` of its requests. */
export type DeliveryId = Id<'dlv'>;
/** Id of a mail, which is the first part of its `Message-ID`. */
export type MailId = Id<'eml'>;
/** Id of an endpoint. */
export type EndpointId = Id<'whe'>;

/** Id of a management key. */
export type ManagementKeyId = Id<'mkey'>;
/** Id of a session, of a checkout or of a portal. */
export type SessionId = Id<'chk' | 'prt'>;
/** Id of a plan link. */
export type LinkId = Id<'lnk'>;
/** Id of an entry of the audit log. */
export type AuditEntryId = Id<'aud'>;

/** The id type of each prefix. */
export interface IdOf {
  readonly proj: ProjectId;
  readonly key: ApiKeyId;
  readonly plan: PlanId;
  readonly sub: SubscriptionId;
  readonly trf: TransferId;
  readonly att: AttemptId;
  readonly mov: MovementId;
  readonly fig: FiguresId;
  readonly evt: EventId;
  readonly dlv: DeliveryId;
  readonly eml: MailId;
  readonly whe: EndpointId;
  readonly mkey: ManagementKeyId;
  readonly aud: AuditEntryId;
  readonly chk: SessionId;
  readonly prt: SessionId;
  readonly lnk: LinkId;
}
