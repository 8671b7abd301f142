import type { FormResult } from '~/components/forms/result';

/** What the result of a test alert says beside its message. */
export interface TestDetails {
  audience: string;
  /** The panel whose button was pressed. */
  from: string;
  /** Why it failed, in a sentence. */
  reason?: string;
}

/** The reason of a failed test alert, below its notice. */
export function FailureReason({ result }: { result: FormResult<TestDetails> | null }) {
  const reason = result?.ok === false ? result.details?.reason : undefined;
  return reason === undefined ? null : <p className="text-small">{reason}</p>;
}
