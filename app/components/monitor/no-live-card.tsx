import { NO_LIVE_STATE } from '~/components/landing/landing-content';
import { Card } from '~/components/ui/card';

/** In place of the live card when the monitor's state cannot be read. */
export function NoLiveCard() {
  return (
    <Card label={NO_LIVE_STATE.label}>
      <div className="grid gap-2 p-6">
        <h2 className="text-lead">{NO_LIVE_STATE.title}</h2>
        <p className="text-soft">{NO_LIVE_STATE.text}</p>
      </div>
    </Card>
  );
}
