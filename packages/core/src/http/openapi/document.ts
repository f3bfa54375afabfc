/** A JSON Schema (draft 2020-12), as far as the OpenAPI document uses it. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  items?: JsonSchema;
  [keyword: string]: unknown;
}

/** A parameter of an operation. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

/** A form of a body: its schema and examples. */
export interface OpenApiMedia {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly description?: string; readonly value: unknown }>>;
}

/** The body of a request or response. An export has the types of its files instead of JSON. */
interface OpenApiContent {
  readonly 'application/json'?: OpenApiMedia;
}

/** A response of an operation. */
export interface OpenApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: OpenApiContent;
}

/** An operation of a path, or a webhook. */
export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly [];
  readonly parameters: readonly (OpenApiParameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required: true; readonly content: OpenApiContent };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

/** An OpenAPI 3.1 document, as far as the contract uses it. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  /** Empty when no key is needed. */
  readonly security: readonly { readonly ApiKey: readonly [] }[];
  readonly paths: Readonly<Record<string, Readonly<Partial<Record<'get' | 'post', OpenApiOperation>>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: OpenApiOperation }>>;
  readonly components: {
    readonly securitySchemes: Readonly<Partial<Record<'ApiKey', object>>>;
    readonly headers: Readonly<Record<string, object>>;
    readonly parameters: Readonly<Record<string, OpenApiParameter>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}
