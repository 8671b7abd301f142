import { existsSync, readFileSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { MEDIA_FILE } from '#shared/news/media/media-rules';
import { failureOf } from '~/http/server/failures.server';
import { pageForms } from '~/http/forms/page-forms.server';
import { readUpload, type UploadShape } from '~/http/forms/read-upload.server';
import { createApiFixture, SITE, type ApiFixture } from '../api/api-fixture';
import { fileForm, createImage, storedFiles, videoFile } from './media-fixture';

let fixture: ApiFixture;
beforeAll(async () => {
  fixture = await createApiFixture();
});
afterAll(() => fixture.cleanup());

const SHAPE: UploadShape = { files: { file: { ...MEDIA_FILE, max: 3 }, image: MEDIA_FILE } };

function post(body: BodyInit, headers?: HeadersInit): Request {
  return new Request(`${SITE}/dashboard/articles/new`, { method: 'POST', body, headers });
}

function append(form: FormData, field: string, bytes: Uint8Array, name: string): void {
  form.append(field, new Blob([new Uint8Array(bytes)]), name);
}

describe('a form with several files', () => {
  test('keeps its fields and the valid files when one file is rejected', async () => {
    const [card, clip] = [await createImage(), await videoFile()];
    const form = new FormData();
    form.append('title', 'Ein neues Set – ü🔥');
    append(form, 'file', card, 'card.jpg');
    append(form, 'file', Buffer.from('<svg/>'), 'bad.svg');
    append(form, 'file', Buffer.alloc(0), 'empty.png');
    append(form, 'file', clip, 'clip.mp4');
    append(form, 'image', card, 'cover.jpg');
    append(form, 'image', card, 'second cover.jpg');
    append(form, 'unknown', card, 'x.jpg');
    append(form, 'toString', card, 'x.jpg');
    form.append('content', '<p>\r\n</p>');
    form.append('tag', 'a');
    form.append('tag', 'b');

    await readUpload(post(form), SHAPE, async ({ fields, files }) => {
      expect([...fields]).toEqual([
        ['title', 'Ein neues Set – ü🔥'],
        ['content', '<p>\r\n</p>'],
        ['tag', 'a'],
        ['tag', 'b'],
      ]);
      expect(
        files.map(({ field, name, file, refused }) => [field, name, file?.type ?? refused?.code]),
      ).toEqual([
        ['file', 'card.jpg', 'image/jpeg'],
        ['file', 'bad.svg', 'file_type'],
        ['file', 'empty.png', 'file_empty'],
        ['file', 'clip.mp4', 'file_count'],
        ['image', 'cover.jpg', 'image/jpeg'],
        ['image', 'second cover.jpg', 'file_count'],
      ]);
      expect(readFileSync(files[0]?.file?.path ?? '').equals(card)).toBe(true);
    });
    expect(storedFiles()).toEqual([]);
  });

  test('distinguishes an empty file field from an empty file', async () => {
    const form = new FormData();
    append(form, 'file', Buffer.alloc(0), '');
    append(form, 'image', Buffer.alloc(0), '');
    expect(await readUpload(post(form), SHAPE, async ({ files }) => files)).toEqual([]);
    expect(await readUpload(post(new FormData()), SHAPE, async ({ files }) => files)).toEqual([]);
  });

  test('removes files that the handler did not store, also when it fails, and keeps the others', async () => {
    const failing = readUpload(post(fileForm('file', await createImage())), SHAPE, async ({ files }) => {
      expect(existsSync(files[0]?.file?.path ?? '')).toBe(true);
      throw new Error('the work failed');
    });
    await expect(failing).rejects.toThrow('the work failed');
    expect(storedFiles()).toEqual([]);
    await readUpload(post(fileForm('file', await createImage())), SHAPE, async ({ files }) =>
      rmSync(files[0]?.file?.path ?? ''),
    );
  });
});

describe('a page form', () => {
  const { action } = pageForms(
    {
      path: '/dashboard',
      access: () => Promise.resolve(null),
      failed: { upload: 'The upload failed.' },
      files: { intent: 'upload', shape: SHAPE },
    },
    {
      upload: {
        schema: z.object({}),
        run: (_, { files }) => Promise.resolve({ ok: false, details: files?.length ?? null }),
      },
    },
  );
  const send = (request: Request) => action({ request, params: {}, context: {} });

  test('is read with and without files', async () => {
    const withFile = post(fileForm('file', await createImage(), { intent: 'upload' }));
    expect(await send(withFile)).toMatchObject({ intent: 'upload', details: 1 });
    const without = post(new URLSearchParams({ intent: 'upload' }));
    expect(await send(without)).toMatchObject({ intent: 'upload', details: null });
  });

  test('that is truncated is refused in the form, and one in another encoding on the error page', async () => {
    const broken = post('x', { 'Content-Type': 'multipart/form-data; boundary=x' });
    expect(await send(broken)).toMatchObject({ intent: 'upload', ok: false, code: 'malformed_upload' });
    const json = post('{}', { 'Content-Type': 'application/json' });
    await expect(send(json)).rejects.toMatchObject({ init: { status: 415 } });
  });
});

// A form without parts used to hang.
test('any body is read or rejected, and leaves no files', async () => {
  const boundary = 'line';
  const piece = fc.oneof(
    fc.constantFrom(
      '--line\r\n',
      '--line--',
      '--line--\r\n',
      '\r\n',
      '\r\n\r\n',
      '\n\n',
      'Content-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n',
      'Content-Disposition: form-data; name="file"; filename="a\r\nb.jpg"\r\n\r\n',
      'Content-Disposition: form-data; name="altText"\r\n\r\n',
      'Content-Disposition: form-data; name=""; filename*=utf-8\'\'%00\r\n\r\n',
      'Content-Disposition: attachment\r\n\r\n',
      'Content-Type: multipart/mixed; boundary=x\r\n',
      'Content-Transfer-Encoding: base64\r\n',
      '\xff\xd8\xff\xe0\0\x10JFIF',
      '\x89PNG\r\n\x1a\n',
      '\0\0\0\x20ftypisom',
      '-',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
      const body = Buffer.from(pieces.join(''), 'latin1');
      const request = post(body, { 'Content-Type': `multipart/form-data; boundary=${boundary}` });
      try {
        await readUpload(request, SHAPE, async () => undefined);
      } catch (error) {
        expect(failureOf(error)?.status).toBe(400);
      }
      expect(storedFiles()).toEqual([]);
    }),
    { seed: 20_261_120, numRuns: 200 },
  );
});
