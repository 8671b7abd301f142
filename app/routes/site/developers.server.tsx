import MarkdownIt from 'markdown-it';
import { renderToStaticMarkup } from 'react-dom/server';
import { groupAnchor, sectionAnchor } from '~/components/developers/anchors';
import { CodeBlock } from '~/components/developers/code-block';
import type { DevelopersText } from '~/components/developers/developers-page';
import {
  ReferenceView,
  type Reference,
  type ReferenceBody,
  type ReferenceCall,
  type ReferenceField,
  type TypePart,
} from '~/components/developers/reference';
import { serverContext } from '~/http/server/context.server';
import { readDocument } from '~/routes/api/document.server';
import markdown from '../../../docs/api.md?raw';
import type { OpenApiDocument } from '~/http/api/openapi.server';
import type { Json } from '~/http/api/json-schemas.server';

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  contentMediaType?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

const RECORD = '#/components/schemas/';

/** Joins types, as in `string or null`. */
function either(types: TypePart[][]): TypePart[] {
  return types.flatMap((type, at) => (at === 0 ? type : [' or ', ...type]));
}

/** What kind of value a schema admits. */
function typeOf(schema: Schema): TypePart[] {
  const { $ref, type, anyOf, oneOf, enum: values, const: constant, items, contentMediaType } = schema;
  if ($ref !== undefined) return [{ record: $ref.slice(RECORD.length) }];
  const union = anyOf ?? oneOf;
  if (union !== undefined) return either(union.map(typeOf));
  if (values !== undefined) return [values.map((value) => JSON.stringify(value)).join(' or ')];
  if (constant !== undefined) return [JSON.stringify(constant)];
  if (contentMediaType !== undefined && type === undefined) return ['file'];
  if (type === undefined) return ['any'];
  if (Array.isArray(type)) return either(type.map((one) => typeOf({ ...schema, type: one })));
  if (type === 'array') return ['list of ', ...typeOf(items ?? {})];
  return [type];
}

/** The limits of a value, as a sentence; empty without limits. */
function limitsOf({ minimum, maximum, minLength, maxLength }: Schema): string {
  const limits = [
    minimum === undefined ? [] : [`at least ${minimum}`],
    maximum === undefined ? [] : [`at most ${maximum}`],
    minLength === undefined || minLength < 2 ? [] : [`at least ${minLength} characters`],
    maxLength === undefined ? [] : [`at most ${maxLength} characters`],
  ].flat();
  const [first = ''] = limits;
  return limits.length === 0 ? '' : `${first[0]?.toUpperCase()}${limits.join(', ').slice(1)}.`;
}

/** The schema inside lists and unions that has its own fields, and what its fields' names begin with. */
function objectIn(schema: Schema, prefix: string): { schema: Schema; prefix: string } | null {
  if (schema.properties !== undefined) return { schema, prefix };
  if (schema.items !== undefined) return objectIn(schema.items, `${prefix}[]`);
  for (const one of schema.anyOf ?? schema.oneOf ?? []) {
    const found = objectIn(one, prefix);
    if (found !== null) return found;
  }
  return null;
}

/** The fields of an object, each followed by its own fields. Records are not followed: they have a separate place. */
function fieldsOf(schema: Schema, prefix = ''): ReferenceField[] {
  const found = objectIn(schema, prefix);
  if (found === null) return [];
  const { properties = {}, required = [] } = found.schema;
  return Object.entries(properties).flatMap(([key, property]) => {
    const name = found.prefix === '' ? key : `${found.prefix}.${key}`;
    const description = [property.description, limitsOf(property)].filter(Boolean).join(' ');
    const field = { name, type: typeOf(property), required: required.includes(key), description };
    return [field, ...fieldsOf(property, name)];
  });
}

interface Content {
  description?: string;
  content?: Record<string, { schema?: Schema; example?: unknown }>;
}

function bodyOf({ description = '', content = {} }: Content): ReferenceBody {
  const { schema = {}, example } = Object.values(content)[0] ?? {};
  return {
    mediaTypes: Object.keys(content),
    description,
    // Each success has it.
    fields: fieldsOf(schema).filter(({ name }) => name !== 'success'),
    example: example === undefined ? null : JSON.stringify(example, null, 2),
  };
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

function toCall(method: string, path: string, operation: Operation): ReferenceCall {
  const responses = Object.entries(operation.responses);
  const isFailure = (status: string) => Number(status) >= 400;
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: operation.description,
    parameters: (operation.parameters ?? []).map(
      ({ name, in: place, required = false, description, schema }) => ({
        name,
        place,
        required,
        type: typeOf(schema),
        description: [description, limitsOf(schema)].filter(Boolean).join(' '),
      }),
    ),
    body: operation.requestBody === undefined ? null : bodyOf(operation.requestBody),
    successes: responses
      .filter(([status]) => !isFailure(status))
      .map(([status, response]) => ({ status, ...bodyOf(response) })),
    failures: responses.map(([status]) => status).filter(isFailure),
  };
}

/** Reads our OpenAPI document for people: the calls by group, and the records that they share. */
function readReference(document: OpenApiDocument): Reference {
  const calls = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => ({
        tag: operation.tags[0],
        call: toCall(method, path, operation),
      })),
  );
  const { schemas, responses } = document.components as {
    schemas: Record<string, Schema>;
    responses: Record<string, { description: string }>;
  };
  return {
    groups: (document.tags as Json[]).map((tag) => ({
      name: String(tag.name),
      description: String(tag.description),
      calls: calls.filter((one) => one.tag === tag.name).map(({ call }) => call),
    })),
    records: Object.entries(schemas)
      .sort(([one], [other]) => one.localeCompare(other, 'en'))
      .map(([name, schema]) => ({
        name,
        description: schema.description ?? '',
        fields: fieldsOf(schema),
      })),
    // Each is named after its status: `Failure404`.
    failures: Object.entries(responses).map(([name, { description }]) => ({
      status: name.slice(-3),
      description,
    })),
  };
}

const LANGUAGES: Record<string, string> = { js: 'JavaScript', http: 'HTTP', sh: 'Shell' };

/** Renders the guide. Its headings become one level lower, with ids, because the page has its own title. */
function renderGuide(text: string): Pick<DevelopersText, 'sections'> & { guide: string } {
  const renderer = new MarkdownIt();
  const sections: DevelopersText['sections'] = [];
  renderer.core.ruler.push('headings', ({ tokens }) => {
    tokens.forEach((token, at) => {
      if (token.type !== 'heading_open' && token.type !== 'heading_close') return;
      const level = Number(token.tag.slice(1));
      token.tag = `h${level + 1}`;
      if (token.type === 'heading_close') return;
      const name = tokens[at + 1]?.content ?? '';
      const anchor = sectionAnchor(name);
      token.attrSet('id', anchor);
      if (level === 2) sections.push({ anchor, name });
    });
  });
  renderer.renderer.rules.fence = (tokens, at) => {
    const { content = '', info = '' } = tokens[at] ?? {};
    return renderToStaticMarkup(<CodeBlock text={content.trimEnd()} language={LANGUAGES[info] ?? 'Text'} />);
  };
  return { guide: renderer.render(text), sections };
}

type WholeText = DevelopersText & { html: object };

let cached: { appUrl: string; text: WholeText } | null = null;

/** The text of the developers' page. It changes only with a release, so it is made once. */
export function readDevelopersText(): WholeText {
  const { appUrl } = serverContext().config;
  if (cached?.appUrl !== appUrl) {
    const reference = readReference(readDocument());
    const { guide, sections } = renderGuide(markdown.replaceAll('http://localhost:3000', appUrl));
    const text = {
      html: { guide, reference: renderToStaticMarkup(<ReferenceView reference={reference} />) },
      sections,
      groups: reference.groups.map(({ name }) => ({ anchor: groupAnchor(name), name })),
    };
    cached = { appUrl, text };
  }
  return cached.text;
}
