import { Fragment } from 'react';
import { CodeBlock } from './code-block';
import { callAnchor, FAILURES_ANCHOR, groupAnchor, recordAnchor, RECORDS_ANCHOR } from './anchors';

/** A part of a type: text, or the name of a record. */
export type TypePart = string | { record: string };

/** A field of a body, a parameter, or a record. */
export interface ReferenceField {
  /** With its path: `user.email`, `articles[].id`. */
  name: string;
  type: TypePart[];
  required: boolean;
  description: string;
}

export interface ReferenceBody {
  /** Such as `application/json`; several if the body may have each; none without a body. */
  mediaTypes: string[];
  description: string;
  fields: ReferenceField[];
  /** JSON text. */
  example: string | null;
}

/** A call, as a person reads about it. */
export interface ReferenceCall {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  parameters: (ReferenceField & { place: string })[];
  body: ReferenceBody | null;
  successes: (ReferenceBody & { status: string })[];
  /** Their statuses; `Reference.failures` says what each means. */
  failures: string[];
}

/** The calls of a tag. */
interface ReferenceGroup {
  name: string;
  description: string;
  calls: ReferenceCall[];
}

export interface Reference {
  groups: ReferenceGroup[];
  records: { name: string; description: string; fields: ReferenceField[] }[];
  failures: { status: string; description: string }[];
}

// Rendered once by the server and sent as HTML, so it has no state and no events.

/** Text with `code` in backticks. */
function Prose({ text }: { text: string }) {
  return text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>));
}

function Type({ parts }: { parts: readonly TypePart[] }) {
  return parts.map((part, at) =>
    typeof part === 'string' ? (
      part
    ) : (
      <a key={at} href={`#${recordAnchor(part.record)}`}>
        {part.record}
      </a>
    ),
  );
}

/** Joins neighbouring texts: each would be an element. */
function joinTexts(parts: readonly TypePart[]): TypePart[] {
  return parts.reduce<TypePart[]>((joined, part) => {
    const last = joined.at(-1);
    return typeof part === 'string' && typeof last === 'string'
      ? [...joined.slice(0, -1), last + part]
      : [...joined, part];
  }, []);
}

function Field({ field }: { field: ReferenceField & { place?: string } }) {
  const { name, type, required, description, place } = field;
  // A link that stands in text may be as low as its line (WCAG 2.5.8).
  const before = typeof type[0] === 'string' ? [] : ['record '];
  const notes = [place === undefined ? '' : `, in the ${place}`, required ? '' : ', optional'];
  return (
    <>
      <dt>
        <code>{name}</code>
      </dt>
      <dd>
        <Type parts={joinTexts([...before, ...type, ...notes])} />
        {description === '' ? null : '\n'}
        <Prose text={description} />
      </dd>
    </>
  );
}

function Fields({ fields }: { fields: readonly (ReferenceField & { place?: string })[] }) {
  if (fields.length === 0) return null;
  return (
    <dl>
      {fields.map((field) => (
        <Field key={`${field.place} ${field.name}`} field={field} />
      ))}
    </dl>
  );
}

function isJson({ mediaTypes }: { mediaTypes: readonly string[] }): boolean {
  return mediaTypes.includes('application/json');
}

function Input({ call: { parameters, body } }: { call: ReferenceCall }) {
  if (parameters.length === 0 && body === null) return null;
  return (
    <>
      <h5>Input</h5>
      <Fields fields={parameters} />
      {body === null || isJson(body) ? null : (
        <p>
          A body of the type <code>{body.mediaTypes.join(', ')}</code>
        </p>
      )}
      {body === null ? null : <Fields fields={body.fields} />}
      {body === null || body.example === null ? null : <CodeBlock text={body.example} language="Body" />}
    </>
  );
}

/** The text for an answer without described fields. */
function bodyInWords(answer: ReferenceCall['successes'][number]): string {
  if (isJson(answer)) return 'Nothing beside success.';
  return [`${answer.description}.`, ...answer.mediaTypes].join(' ');
}

function Successes({ successes }: Pick<ReferenceCall, 'successes'>) {
  return successes.map((answer) => {
    const { status, fields, example } = answer;
    return (
      <div key={status}>
        <h5>{`Answer ${status}`}</h5>
        {fields.length > 0 ? <Fields fields={fields} /> : <p>{bodyInWords(answer)}</p>}
        {example === null || fields.length === 0 ? null : (
          <details>
            <summary>Example</summary>
            <CodeBlock text={example} language="Answer" />
          </details>
        )}
      </div>
    );
  });
}

function Call({ call }: { call: ReferenceCall }) {
  const { id, method, path, summary, description, failures } = call;
  const anchor = callAnchor(id);
  return (
    <div className="api-call" id={anchor}>
      <h4>
        <a href={`#${anchor}`}>
          <Prose text={summary} />
        </a>
      </h4>
      <p className="api-path">
        <strong data-method={method}>{method}</strong> <code>{path}</code> <span>{id}</span>
      </p>
      <p>
        <Prose text={description} />
      </p>
      <Input call={call} />
      <Successes successes={call.successes} />
      <p>
        <a href={`#${FAILURES_ANCHOR}`}>Failures</a> {failures.join(', ')}
      </p>
    </div>
  );
}

/** The calls of a group, after a list of them. */
function Group({ group: { name, description, calls } }: { group: ReferenceGroup }) {
  const anchor = groupAnchor(name);
  return (
    <section>
      <h3 id={anchor}>{name}</h3>
      <p>{description}.</p>
      <ul className="api-list">
        {calls.map(({ id, method, path, summary }) => (
          <li key={id}>
            <a href={`#${callAnchor(id)}`}>
              <Prose text={summary} />
            </a>{' '}
            <code>
              {method} {path}
            </code>
          </li>
        ))}
      </ul>
      {calls.map((call) => (
        <Call key={call.id} call={call} />
      ))}
    </section>
  );
}

/** All calls by group, then the failures and the records that they share. */
export function ReferenceView({ reference: { groups, failures, records } }: { reference: Reference }) {
  return (
    <>
      {groups.map((group) => (
        <Group key={group.name} group={group} />
      ))}
      <section>
        <h3 id={FAILURES_ANCHOR}>Failures</h3>
        <p>What each status means. A call lists its own.</p>
        <dl>
          {failures.map(({ status, description }) => (
            <Fragment key={status}>
              <dt>
                <code>{status}</code>
              </dt>
              <dd>
                <Prose text={description} />
              </dd>
            </Fragment>
          ))}
        </dl>
      </section>
      <section>
        <h3 id={RECORDS_ANCHOR}>Records</h3>
        <p>What several calls share, by the names that generated types have.</p>
        {records.map(({ name, description, fields }) => (
          <div key={name} className="api-call" id={recordAnchor(name)}>
            <h4>
              <a href={`#${recordAnchor(name)}`}>{name}</a>
            </h4>
            {description === '' ? null : (
              <p>
                <Prose text={description} />
              </p>
            )}
            <Fields fields={fields} />
          </div>
        ))}
      </section>
    </>
  );
}
