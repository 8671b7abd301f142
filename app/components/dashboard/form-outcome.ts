/** What came of a press on one of the dashboard's buttons. */
export interface FormOutcome {
  ok: boolean;
  message: string;
}
