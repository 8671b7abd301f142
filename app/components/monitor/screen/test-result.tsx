import type { FormResult } from '#shared/site/form-result';

/** The result of a test alert besides its message. */
export interface TestDetails {
  audience: string;
  /** The panel whose button was pressed. */
  from: string;
  /** Why it failed, in a sentence. */
  reason?: string;
}

/** Below the notice of a test alert: the channel that it went to, or the reason why it failed. */
export function TestOutcome({ result }: { result: FormResult<TestDetails> | null }) {
  if (result?.intent !== 'test' || result.details === undefined) return null;
  const { audience, reason } = result.details;
  if (result.ok)
    return <p className="text-small">{`It is in the Discord channel of the ${audience} webhook.`}</p>;
  return reason === undefined ? null : <p className="text-small">{reason}</p>;
}
