import { reasonOf, sendFile } from '~/components/forms/send-file';

const UPLOAD_CALL = '/api/settings/tracking-sets/upload';

export type UploadResult = { ok: true; imageUrl: string } | { ok: false; message: string | null };

/**
 * Sends a picture by the API. `message` is the server's reason; null when there was no answer, or none that can be read.
 */
export async function uploadTrackingImage(
  file: File,
  way: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<UploadResult> {
  const form = new FormData();
  form.set('image', file);
  const answer = await sendFile(UPLOAD_CALL, form, way);
  const { imageUrl } = (answer.body?.data ?? {}) as { imageUrl?: unknown };
  if (answer.status === 201 && typeof imageUrl === 'string') return { ok: true, imageUrl };
  return { ok: false, message: reasonOf(answer) };
}
