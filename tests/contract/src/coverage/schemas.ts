import type { JsonSchema, OpenApiDocument } from '@subrail/core';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

/** The schemas of a served OpenAPI document, against which answers are checked. */
export interface Schemas {
  /** The schema to which a reference points, and its place in the rows: an object's place is its own name. */
  resolve(schema: JsonSchema, at: string): { readonly schema: JsonSchema; readonly place: string };
  /** The violations of a schema by a value, or null when there are none. */
  violations(schema: JsonSchema, value: unknown): readonly ErrorObject[] | null;
  /** The schema of the detail of an event of this type. */
  detailOf(type: string): JsonSchema;
}

export function schemasOf(document: OpenApiDocument): Schemas {
  // The document gives a date a pattern, which is stricter than its format.
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': true } });
  ajv.addSchema({ $id: 'document:', ...document });
  const compiled = new Map<JsonSchema, ValidateFunction>();

  function compile(schema: JsonSchema): ValidateFunction {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const text = JSON.stringify(schema).replaceAll('"#/', '"document:#/');
    const made = ajv.compile(JSON.parse(text) as JsonSchema);
    compiled.set(schema, made);
    return made;
  }

  return {
    resolve(schema, at) {
      const name = schema.$ref?.split('/').at(-1);
      if (name === undefined) return { schema, place: at };
      const found = document.components.schemas[name];
      if (found === undefined) throw new Error(`The document has no schema ${name}.`);
      // A schema that is not an object describes the value of the field that refers to it.
      const isValue = found.properties === undefined && found.anyOf === undefined;
      return { schema: found, place: isValue ? at : name };
    },
    violations(schema, value) {
      const validate = compile(schema);
      return validate(value) ? null : (validate.errors ?? []);
    },
    detailOf(type) {
      const body = document.webhooks[type]?.post.requestBody?.content['application/json']?.schema;
      const detail = body?.allOf?.[1]?.properties?.['detail'];
      if (detail === undefined) throw new Error(`The document has no event ${type}.`);
      return detail;
    },
  };
}
