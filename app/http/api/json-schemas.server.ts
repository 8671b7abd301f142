import { z } from 'zod';

export type Json = Record<string, unknown>;

/** The JSON Schemas of one OpenAPI document. */
export interface JsonSchemas {
  /** Converts a schema. One with a name (`meta({ id })`) becomes a reference to `components.schemas`. */
  convert(schema: z.ZodType, io: 'input' | 'output'): Json;
  /** The schemas with a name that have been converted, for `components.schemas`. */
  named(): Json;
}

/** Points references to `components.schemas`, where a generated client finds the named schemas. */
function withComponentReferences(json: unknown): Json {
  return JSON.parse(JSON.stringify(json), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string'
      ? value.replace(/^#\/\$defs\//, '#/components/schemas/')
      : value,
  ) as Json;
}

/** Creates the schemas of a document. `convert` throws if two different schemas have the same name. */
export function createJsonSchemas(): JsonSchemas {
  const named: Json = {};
  return {
    named: () => named,
    convert(schema, io) {
      const {
        $schema: _,
        $defs = {},
        ...json
      } = z.toJSONSchema(schema, {
        io,
        override({ jsonSchema }) {
          // New fields are added without notice: a client that checks responses must let them pass.
          if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
          // Generated types would demand every field of a body that has a default.
          if (io === 'input' && 'default' in jsonSchema) {
            const fallback = `${JSON.stringify(jsonSchema.default)} by default.`;
            jsonSchema.description = [jsonSchema.description, fallback].filter(Boolean).join(' ');
            delete jsonSchema.default;
          }
          // Of the text that a parameter is before it becomes a number.
          if (jsonSchema.type === 'integer') delete jsonSchema.pattern;
          // The bounds of a safe integer say nothing about the field.
          if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
          if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        },
      });
      for (const [name, definition] of Object.entries($defs)) {
        const converted = withComponentReferences(definition);
        if (name in named && JSON.stringify(named[name]) !== JSON.stringify(converted))
          throw new TypeError(`two schemas of the API are named ${name}`);
        named[name] = converted;
      }
      return withComponentReferences(json);
    },
  };
}
