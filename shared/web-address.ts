import { z } from 'zod';

const MAX_URL_LENGTH = 2_000;

/** The address in canonical form, without a fragment; null for one that is no web page. */
export function webAddress(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || !url.hostname.includes('.') || url.username !== '') return null;
  url.hash = '';
  return url.href.length > MAX_URL_LENGTH ? null : url.href;
}

/** A field for an http(s) address of at most 2,000 characters. `missing`, `rule`: the sentences for an empty and a wrong one. */
export const webAddressField = ({ missing, rule }: { missing: string; rule: string }) =>
  z
    .string(missing)
    .trim()
    .min(1, missing)
    .max(MAX_URL_LENGTH, 'This address is too long.')
    .transform((text, context) => {
      const url = webAddress(text);
      if (url !== null) return url;
      context.addIssue(rule);
      return z.NEVER;
    });
