import type { Html } from '../../html';
import type { RequestContext } from '../../http/app';
import { challengePath } from './paths';

/** What a hosted page answers: a page with its status, or where to go. */
export type HostedResult = { status?: number; page: Html } | { location: string };

/** One hosted page: `show` for GET, `submit` for POST. */
export interface HostedPage {
  title: string;
  show(id: string, context: RequestContext): HostedResult;
  submit(id: string, fields: URLSearchParams, context: RequestContext): HostedResult;
}

/** The address of the bank's page, which leads back to a hosted page. */
export function challengeUrl(intent: string, backTo: string): string {
  return `${challengePath(intent)}?return=${encodeURIComponent(backTo)}`;
}
