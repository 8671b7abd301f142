import { describeDevice } from '#shared/accounts/describe-device';
import { formatPounds } from '#shared/money';
import { FormDialog } from '~/components/forms/confirmations';
import type { Forms } from '~/components/forms/use-forms';
import { memberAddress, type MemberQuestion } from '../member-addresses';
import type { MemberSession } from './sessions-panel';

/** A receipt that can be sent again. */
export interface MemberReceipt {
  id: string;
  packageName: string;
  amountPence: number;
  paidAt: string;
}

/** The subject of the dialog. */
export type AskedQuestion =
  | { ask: Exclude<MemberQuestion, 'endSession' | 'grant' | 'receipt'> }
  | { ask: 'endSession'; session: MemberSession }
  | { ask: 'receipt'; receipt: MemberReceipt; email: string };

function wordsOf(question: AskedQuestion, username: string): { title: string; text: string; label: string } {
  switch (question.ask) {
    case 'disable':
      return {
        title: `Disable ${username}’s account?`,
        text: 'It is signed out everywhere at once, cannot sign in, and gets no alerts. Its subscription does not renew. You can enable it again.',
        label: 'Disable account',
      };
    case 'signOut':
      return {
        title: `Sign ${username} out everywhere?`,
        text: 'All sessions end at once, including those of the desktop app. The member can sign in again.',
        label: 'Sign out everywhere',
      };
    case 'delete':
      return {
        title: `Delete ${username}’s account?`,
        text: 'It is signed out everywhere at once, and its subscription ends at once. An email tells the member how to keep it; after seven days it is deleted.',
        label: 'Delete account',
      };
    case 'endSession':
      return {
        title: `End ${username}’s session?`,
        text: `${describeDevice(question.session.userAgent)} is signed out at once. The member can sign in again.`,
        label: 'End session',
      };
    case 'receipt': {
      const { packageName, amountPence } = question.receipt;
      return {
        title: 'Send the receipt again?',
        text: `The receipt for ${packageName}, ${formatPounds(amountPence)}, goes to ${question.email}.`,
        label: 'Send receipt',
      };
    }
  }
}

/** The hidden fields of the dialog's form. */
function fieldsOf(question: AskedQuestion): Record<string, string> {
  if (question.ask === 'endSession') return { sessionId: question.session.id };
  return question.ask === 'receipt' ? { receiptId: question.receipt.id } : {};
}

/** The dialog that the address of a member's page opens. `refusal`: that of its form, which it shows. */
export function QuestionDialog({
  id,
  username,
  question,
  refusal,
  forms,
}: {
  id: string;
  username: string;
  question: AskedQuestion;
  refusal: Forms['result'];
  forms: Pick<Forms, 'Form' | 'pendingIntent'>;
}) {
  return (
    <FormDialog
      {...wordsOf(question, username)}
      leaveTo={memberAddress(id)}
      forms={forms}
      refusal={refusal}
      intent={question.ask}
      fields={fieldsOf(question)}
    />
  );
}
