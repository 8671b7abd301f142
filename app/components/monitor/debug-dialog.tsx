import type { LatestDebug } from '#shared/monitor/checks/checks';
import { PageDialog } from '~/components/ui/page-dialog';

/** The response that the last check received. `leaveTo`: the address of the screen. */
export function DebugDialog({ debug, leaveTo }: { debug: { latest: LatestDebug | null }; leaveTo: string }) {
  return (
    <PageDialog title="Latest Debug Data" leaveTo={leaveTo}>
      <p className="text-soft">{debug.latest === null ? 'No check yet.' : debug.latest.timestamp}</p>
    </PageDialog>
  );
}
