declare const brand: unique symbol;
type Id<Kind extends string> = string & { readonly [brand]: Kind };

/**
 * An id is a string: the prefix of its kind, an underscore and 24 base62 characters. Each kind is a type that no other
 * kind fits.
 */
export type ProjectId = Id<'proj'>;
export type ApiKeyId = Id<'key'>;
export type PlanId = Id<'plan'>;
export type SubscriptionId = Id<'sub'>;
export type TransferId = Id<'trf'>;
export type AttemptId = Id<'att'>;
export type EventId = Id<'evt'>;
export type DeliveryId = Id<'dlv'>;
export type EndpointId = Id<'whe'>;

/** The id type of each prefix. */
export interface IdOf {
  readonly proj: ProjectId;
  readonly key: ApiKeyId;
  readonly plan: PlanId;
  readonly sub: SubscriptionId;
  readonly trf: TransferId;
  readonly att: AttemptId;
  readonly evt: EventId;
  readonly dlv: DeliveryId;
  readonly whe: EndpointId;
}
