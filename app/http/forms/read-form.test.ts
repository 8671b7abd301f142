import { describe, expect, test } from 'vitest';
import { readForm } from './read-form.server';

function read(body: BodyInit, contentType = 'application/x-www-form-urlencoded') {
  const headers = { 'Content-Type': contentType };
  return readForm(new Request('https://packwatch.example/login', { method: 'POST', headers, body }));
}

const refusalOf = (body: string) =>
  read(body).then(
    () => null,
    (error: { failure?: { status: number } }) => error.failure?.status,
  );

test('a form is read completely, whatever its values', async () => {
  const form = await read('intent=login&email=a%40b.example&email=second&text=a.b%5B0%5D%26%FF');
  expect([...form]).toEqual([
    ['intent', 'login'],
    ['email', 'a@b.example'],
    ['email', 'second'],
    ['text', 'a.b[0]&\ufffd'],
  ]);
});

describe('a form is refused with', () => {
  test.each([
    ['more fields than accepted', 'a=&'.repeat(301), 413],
    ['as many ampersands as its size allows', '&'.repeat(60_000), 413],
    ['a name that is too long', `${'a'.repeat(101)}=x`, 400],
    ['15,000 lists in one name', `email${'[0]'.repeat(15_000)}=x`, 400],
    ['20,000 objects in one name', `${'a.'.repeat(20_000)}a=x`, 400],
    ['a short name that is nested too deeply', `${'a.'.repeat(6)}a=x`, 400],
    ['a name whose depth is percent-encoded', `a${'%5B0%5D'.repeat(6)}=x`, 400],
    ['more bytes than its limit', `a=${'x'.repeat(64 * 1024)}`, 413],
  ])('%s', async (_, body, status) => {
    expect(await refusalOf(body)).toBe(status);
  });
});

test('a form with as many fields as are accepted is read', async () => {
  expect([...(await read('a=1&'.repeat(299) + 'b.c[0]=2'))]).toHaveLength(300);
});

test('another encoding is refused', async () => {
  await expect(read('{}', 'application/json')).rejects.toMatchObject({ failure: { status: 415 } });
  await expect(read(new FormData(), 'multipart/form-data; boundary=x')).rejects.toMatchObject({
    failure: { status: 415 },
  });
});
