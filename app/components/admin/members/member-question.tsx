import { useNavigate } from '@remix-run/react';
import { useCallback } from 'react';
import { describeDevice } from '#shared/accounts/describe-device';
import { FormNotice, type Forms } from '~/components/forms/use-forms';
import { Button, buttonClass, Link } from '~/components/ui/button';
import { AddressDialog } from '~/components/ui/dialogs';
import { memberAddress, type MemberQuestion } from '../member-addresses';
import type { MemberSession } from './sessions-panel';

/** What the dialog is about; `session` where one is to end. */
export type AskedQuestion =
  | { ask: Exclude<MemberQuestion, 'endSession'> }
  | { ask: 'endSession'; session: MemberSession };

function wordsOf(question: AskedQuestion, username: string): { title: string; text: string; button: string } {
  switch (question.ask) {
    case 'disable':
      return {
        title: `Disable ${username}’s account?`,
        text: 'It is signed out everywhere at once, cannot sign in, and gets no alerts. Its subscription does not renew. You can enable it again.',
        button: 'Disable account',
      };
    case 'signOut':
      return {
        title: `Sign ${username} out everywhere?`,
        text: 'All sessions end at once, also those of the desktop app. The member can sign in again.',
        button: 'Sign out everywhere',
      };
    case 'endSession':
      return {
        title: `End ${username}’s session?`,
        text: `${describeDevice(question.session.userAgent)} is signed out at once. The member can sign in again.`,
        button: 'End session',
      };
  }
}

/** The dialog that the address of a member's page opens. `refusal`: that of its own form, which it shows. */
export function QuestionDialog({
  id,
  username,
  question,
  refusal,
  forms: { Form, pendingIntent },
}: {
  id: string;
  username: string;
  question: AskedQuestion;
  refusal: Forms['result'];
  forms: Pick<Forms, 'Form' | 'pendingIntent'>;
}) {
  const navigate = useNavigate();
  const page = memberAddress(id);
  const leave = useCallback(
    () => navigate(page, { replace: true, preventScrollReset: true }),
    [navigate, page],
  );
  const { title, text, button } = wordsOf(question, username);
  return (
    <AddressDialog title={title} text={text} onLeave={leave}>
      <FormNotice result={refusal} />
      <Link to={page} replace preventScrollReset className={buttonClass()}>
        Cancel
      </Link>
      <Form method="post" preventScrollReset>
        {question.ask === 'endSession' ? (
          <input type="hidden" name="sessionId" value={question.session.id} />
        ) : null}
        <Button variant="primary" name="intent" value={question.ask} pending={pendingIntent === question.ask}>
          {button}
        </Button>
      </Form>
    </AddressDialog>
  );
}
