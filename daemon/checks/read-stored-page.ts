import type { Database } from '#shared/database/schema';
import { findBody } from '#shared/monitor/checks/stored-body.server';
import { storedAnalysisSchema } from '#shared/monitor/checks/verdict';
import type { JudgedPage } from '../judging/judge-outcome';

/**
 * Reads the stored response of a check, to judge it again. Null when it is no longer stored. Only the first 100 KB of a
 * page are stored; a longer one may get another verdict for that reason.
 */
export async function readStoredPage(db: Database, checkId: string): Promise<JudgedPage | null> {
  const row = await db
    .selectFrom('monitor_checks')
    .select([
      'target_url',
      'final_url',
      'http_status_code',
      'error_message',
      'raw_response_length',
      'response_headers',
      'content_analysis',
    ])
    .where('id', '=', checkId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const body = row.raw_response_length === 0 ? '' : await findBody(db, checkId);
  if (body === null) return null;
  const {
    redirects = [],
    doubted = false,
    unverified = doubted,
  } = storedAnalysisSchema.safeParse(JSON.parse(row.content_analysis)).data ?? {};
  return {
    answer: {
      requestUrl: row.target_url,
      finalUrl: row.final_url ?? row.target_url,
      status: row.http_status_code ?? 0,
      headers: JSON.parse(row.response_headers) as Record<string, string | string[]>,
      body,
      decodable: true,
      hops: redirects.map((url) => ({ url, status: 302, location: null, headers: {} })),
      unverified,
    },
    errorMessage: row.error_message,
  };
}
