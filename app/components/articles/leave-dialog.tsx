import { Button } from '~/components/ui/button';
import { ConfirmDialog } from '~/components/ui/confirm-dialog';

/** Asks whoever is about to leave with something unsaved, or while files are uploading. */
export function LeaveDialog({
  unsaved,
  onStay,
  onLeave,
}: {
  unsaved: boolean;
  onStay: () => void;
  onLeave: () => void;
}) {
  return (
    <ConfirmDialog
      title={unsaved ? 'Leave without saving?' : 'Leave while files are uploading?'}
      onClose={onStay}
    >
      <p className="text-soft">
        {unsaved ? 'Changes since your last save will be lost.' : 'Uploads in progress will be cancelled.'}
      </p>
      <p className="flex flex-wrap gap-2.5">
        <Button type="button" look="primary" onClick={onStay}>
          Stay
        </Button>
        <Button type="button" onClick={onLeave}>
          Leave
        </Button>
      </p>
    </ConfirmDialog>
  );
}
