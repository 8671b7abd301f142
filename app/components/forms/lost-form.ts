import type { SubmissionResult } from '@conform-to/react';
import { LOST } from './stay-when-lost';

/** What a form that conform keeps is told when it could not be sent: its fields stay as they are. */
export const LOST_FORM: SubmissionResult = { status: 'error', error: { '': [LOST] } };
