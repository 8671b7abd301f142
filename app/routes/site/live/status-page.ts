import type { LoaderFunctionArgs } from '@remix-run/node';
import { readStatusPage } from '../status-state.server';
import { liveResponse } from './live-response.server';

/** The data of the status page, all parts from one read. */
export function loader({ request }: LoaderFunctionArgs) {
  return liveResponse(request, readStatusPage);
}
