import { z } from 'zod';

/**
 * Discord's validation of webhook messages and its error messages.
 * Source: Discord docs, "Webhook Resource › Execute Webhook", "Message Resource › Embed Limits" and "Allowed
 * Mentions Object", "Reference › Error Messages"; error codes and messages as quoted in public issue threads.
 */
const MAX_EMBEDS = 10;
const MAX_EMBEDS_TOTAL = 6_000;
const MAX_FIELDS = 25;
const MAX_MENTION_IDS = 100;

interface FormError {
  code: string;
  message: string;
}

/** Discord's error response: `code` is its numeric code, `errors` the tree of invalid fields. */
export interface Refusal {
  message: string;
  code: number;
  errors?: ErrorTree;
}
type ErrorTree = { [key: string]: ErrorTree | FormError[] };

const EMPTY_MESSAGE: Refusal = { message: 'Cannot send an empty message', code: 50006 };

/** Discord counts characters, not UTF-16 units: an emoji is one. */
function lengthOf(text: string): number {
  return [...text].length;
}

function tooLong(max: number) {
  return {
    message: `Must be ${max} or fewer in length.`,
    params: { code: 'BASE_TYPE_MAX_LENGTH' },
  };
}

function text(max: number) {
  return z.string().refine((value) => lengthOf(value) <= max, tooLong(max));
}

function requiredText(max: number) {
  return text(max).refine((value) => value.trim() !== '', {
    message: 'This field is required',
    params: { code: 'BASE_TYPE_REQUIRED' },
  });
}

function listOf<T extends z.ZodType>(item: T, max: number) {
  return z.array(item).refine((items) => items.length <= max, tooLong(max));
}

function webAddress(schemes: readonly string[]) {
  return z.string().superRefine((value, context) => {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(value)?.[1]?.toLowerCase();
    if (scheme !== undefined && !schemes.includes(scheme)) {
      const list = schemes.map((name) => `'${name}'`).join(', ');
      context.addIssue({
        code: 'custom',
        message: `Scheme "${scheme}" is not supported. Scheme must be one of (${list}).`,
        params: { code: 'URL_TYPE_INVALID_SCHEME' },
      });
    } else if (!URL.canParse(value)) {
      context.addIssue({
        code: 'custom',
        message: 'Not a well formed URL.',
        params: { code: 'URL_TYPE_INVALID_URL' },
      });
    }
  });
}

const link = webAddress(['http', 'https']);
const image = z.object({ url: webAddress(['http', 'https', 'attachment']) });
const snowflake = z.string().regex(/^\d{1,20}$/);

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const timestamp = z.string().superRefine((value, context) => {
  if (ISO_8601.test(value) && !Number.isNaN(Date.parse(value))) return;
  context.addIssue({
    code: 'custom',
    message: `Could not parse ${value}. Should be ISO8601.`,
    params: { code: 'DATE_TIME_TYPE_PARSE' },
  });
});

const embed = z.object({
  title: text(256).nullish(),
  description: text(4_096).nullish(),
  url: link.nullish(),
  timestamp: timestamp.nullish(),
  color: z.int().min(0).max(0xffffff).nullish(),
  footer: z.object({ text: requiredText(2_048), icon_url: link.nullish() }).nullish(),
  image: image.nullish(),
  thumbnail: image.nullish(),
  author: z.object({ name: requiredText(256), url: link.nullish(), icon_url: link.nullish() }).nullish(),
  fields: listOf(
    z.object({ name: requiredText(256), value: requiredText(1_024), inline: z.boolean().nullish() }),
    MAX_FIELDS,
  ).nullish(),
});
export type Embed = z.infer<typeof embed>;

const allowedMentions = z
  .object({
    parse: z.array(z.enum(['everyone', 'roles', 'users'])).nullish(),
    roles: listOf(snowflake, MAX_MENTION_IDS).nullish(),
    users: listOf(snowflake, MAX_MENTION_IDS).nullish(),
    replied_user: z.boolean().nullish(),
  })
  .superRefine((value, context) => {
    for (const kind of ['roles', 'users'] as const) {
      if (!value.parse?.includes(kind) || !value[kind]?.length) continue;
      context.addIssue({
        code: 'custom',
        message: `parse:["${kind}"] and ${kind}: [ids...] are mutually exclusive.`,
        params: { code: 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE' },
      });
    }
  });
export type AllowedMentions = z.infer<typeof allowedMentions>;

const embeds = listOf(embed, MAX_EMBEDS).refine((list) => sizeOf(list) <= MAX_EMBEDS_TOTAL, {
  message: `Embed size exceeds maximum size of ${MAX_EMBEDS_TOTAL}`,
  params: { code: 'MAX_EMBED_SIZE_EXCEEDED' },
});

const username = z.string().superRefine((value, context) => {
  const length = lengthOf(value.trim());
  if (length < 1 || length > 80) {
    context.addIssue({
      code: 'custom',
      message: 'Must be between 1 and 80 in length.',
      params: { code: 'BASE_TYPE_BAD_LENGTH' },
    });
  }
  for (const word of ['clyde', 'discord']) {
    if (!value.toLowerCase().includes(word)) continue;
    context.addIssue({
      code: 'custom',
      message: `Username cannot contain "${word}"`,
      params: { code: 'USERNAME_INVALID_CONTAINS' },
    });
  }
});

const editForm = z.object({
  content: text(2_000).nullish(),
  embeds: embeds.nullish(),
  allowed_mentions: allowedMentions.nullish(),
  flags: z.int().min(0).nullish(),
});
const postForm = editForm.extend({
  username: username.nullish(),
  avatar_url: link.nullish(),
  tts: z.boolean().nullish(),
  thread_name: requiredText(100).nullish(),
});

export type EditForm = z.infer<typeof editForm>;
export type PostForm = z.infer<typeof postForm>;
export type Read<T> = { form: T } | { refusal: Refusal };

/** Validates a new message as Discord does. An empty message is rejected. */
export function readPost(body: string): Read<PostForm> {
  const read = readForm(postForm, body);
  return 'form' in read && isEmpty(read.form) ? { refusal: EMPTY_MESSAGE } : read;
}

/**
 * Validates an edit as Discord does: absent fields stay, `null` clears a field.
 * @param before the current message; an edit that would leave it empty is rejected
 */
export function readEdit(body: string, before: { content: string; embeds: Embed[] }): Read<EditForm> {
  const read = readForm(editForm, body);
  if (!('form' in read)) return read;
  const { content = before.content, embeds: nextEmbeds = before.embeds } = read.form;
  return isEmpty({ content, embeds: nextEmbeds }) ? { refusal: EMPTY_MESSAGE } : read;
}

function readForm<T>(schema: z.ZodType<T>, body: string): Read<T> {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return { refusal: { message: 'The request body contains invalid JSON.', code: 50109 } };
  }
  const parsed = schema.safeParse(json, { reportInput: true });
  if (parsed.success) return { form: parsed.data };

  const errors: ErrorTree = {};
  for (const issue of parsed.error.issues) addError(errors, issue.path, wordIssue(issue));
  return { refusal: { message: 'Invalid Form Body', code: 50035, errors } };
}

function isEmpty({ content, embeds: list }: { content?: string | null; embeds?: Embed[] | null }): boolean {
  return (content ?? '').trim() === '' && !(list ?? []).some(hasContent);
}

function hasContent(embed: Embed): boolean {
  const { title, description, footer, author, image, thumbnail, fields } = embed;
  return Boolean(title || description || footer || author || image || thumbnail || fields?.length);
}

function sizeOf(list: readonly Embed[]): number {
  return list
    .flatMap((one) => [
      one.title,
      one.description,
      one.footer?.text,
      one.author?.name,
      ...(one.fields ?? []).flatMap((field) => [field.name, field.value]),
    ])
    .reduce((total, part) => total + lengthOf(part ?? ''), 0);
}

function addError(tree: ErrorTree, path: readonly PropertyKey[], error: FormError): void {
  let node = tree;
  for (const key of path.map(String)) {
    const next = node[key];
    node = node[key] = next !== undefined && !Array.isArray(next) ? next : {};
  }
  const known = node._errors;
  node._errors = [...(Array.isArray(known) ? known : []), error];
}

const WRONG_TYPE: Record<string, (input: string) => FormError> = {
  object: () => ({ code: 'DICT_TYPE_CONVERT', message: 'Only dictionaries may be used in a DictType' }),
  array: () => ({ code: 'LIST_TYPE_CONVERT', message: 'Only iterables may be used in a ListType' }),
  boolean: () => ({ code: 'BOOLEAN_TYPE_CONVERT', message: 'Must be either true or false.' }),
  int: (input) => ({ code: 'NUMBER_TYPE_COERCE', message: `Value "${input}" is not int.` }),
  number: (input) => ({ code: 'NUMBER_TYPE_COERCE', message: `Value "${input}" is not int.` }),
  string: (input) => ({ code: 'STRING_TYPE_CONVERT', message: `Could not interpret "${input}" as string.` }),
};

function wordIssue(issue: z.core.$ZodIssue): FormError {
  const input = typeof issue.input === 'string' ? issue.input : JSON.stringify(issue.input);
  switch (issue.code) {
    case 'custom':
      return { code: String(issue.params?.code), message: issue.message };
    case 'invalid_type':
      return issue.input === undefined
        ? { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }
        : (WRONG_TYPE[issue.expected]?.(input) ?? { code: 'BASE_TYPE_INVALID', message: issue.message });
    case 'too_big':
      return {
        code: 'NUMBER_TYPE_MAX',
        message: `int value should be less than or equal to ${issue.maximum}.`,
      };
    case 'too_small':
      return {
        code: 'NUMBER_TYPE_MIN',
        message: `int value should be greater than or equal to ${issue.minimum}.`,
      };
    case 'invalid_format':
      return { code: 'NUMBER_TYPE_COERCE', message: `Value "${input}" is not snowflake.` };
    case 'invalid_value':
      return {
        code: 'BASE_TYPE_CHOICES',
        message: `Value must be one of {${issue.values.map((value) => `'${String(value)}'`).join(', ')}}.`,
      };
    default:
      return { code: 'BASE_TYPE_INVALID', message: issue.message };
  }
}
