import { describe, expect, it } from 'vitest';
import { maskWebhook, parseWebhookAddress, requireWebhookAddress } from './webhook-address';

const hosts = [
  'discord.com',
  'discordapp.com',
  'ptb.discord.com',
  'canary.discord.com',
  '127.0.0.1:4010',
  '[::1]:4010',
  'hooks.example:8443',
];
const path = '/api/webhooks/123456789012345678/abcDEF_-123';

describe('webhook addresses', () => {
  it.each([
    `https://discord.com${path}`,
    `https://discord.com:443${path}`,
    `https://DISCORD.com${path}`,
    `https://ptb.discord.com/api/v10/webhooks/123456789012345678/abcDEF_-123`,
    `  https://discord.com${path}/ `,
    `http://127.0.0.1:4010${path}`,
    `http://[::1]:4010${path}`,
    `https://hooks.example:8443${path}`,
  ])('accepts %s', (text) => {
    expect(parseWebhookAddress(text, hosts)).toMatchObject({
      id: '123456789012345678',
      token: 'abcDEF_-123',
    });
  });

  it.each([
    '',
    'discord.com',
    `http://discord.com${path}`,
    `https://discord.com:8443${path}`,
    `http://hooks.example:8443${path}`,
    `https://127.0.0.1${path}`,
    `http://127.0.0.1:4011${path}`,
    `http://127.1:4011${path}`,
    `http://0x7f.1:80${path}`,
    `http://2130706433${path}`,
    `http://[::ffff:127.0.0.1]:4010${path}`,
    `https://169.254.169.254${path}`,
    `https://discord.com@evil.example${path}`,
    `https://user:pass@discord.com${path}`,
    `https://evil.example#@discord.com${path}`,
    `https://discord.com.evil.example${path}`,
    `https://evildiscord.com${path}`,
    `https://discord.com.${path}`,
    `https://discord.com\\@evil.example${path}`,
    `https:\\\\discord.com${path}`,
    `https://discord.com${path}?wait=true`,
    `https://discord.com${path}#x`,
    'https://discord.com/api/webhooks/123/abc/../../../oauth2',
    'https://discord.com/api/webhooks/123/%2e%2e/users',
    'https://discord.com/api%2fwebhooks/123/abc',
    'https://discord.com/api/webhooks/123/abc/messages/1',
    'https://discord.com/api/webhooks/abc/abc',
    'https://discord.com/api/webhooks/123',
    'https://discord.com/webhooks/123/abc',
    'https://discord.com//api/webhooks/123/abc',
    'https://discord.com/api/webhooks/123/abc def',
    'https://dis\ncord.com/api/webhooks/123/abc',
    'https://discord。com/api/webhooks/123/abc',
    'file:///api/webhooks/123/abc',
    'ftp://discord.com/api/webhooks/123/abc',
    'javascript:alert(1)//discord.com/api/webhooks/123/abc',
    'data:text/plain,discord.com/api/webhooks/123/abc',
    '//discord.com/api/webhooks/123/abc',
  ])('refuses %j', (text) => {
    expect(
      parseWebhookAddress(text, hosts)?.url.startsWith('https://discord.com/api/webhooks/123/') ?? false,
    ).toBe(false);
    expect(parseWebhookAddress(text, hosts)).toBeNull();
  });

  it.each([
    [`https://discord.com${path}?thread_id=140000000000000201`, '140000000000000201'],
    [`https://DISCORD.com${path}/?thread_id=140000000000000201`, '140000000000000201'],
    [`https://discord.com${path}?`, null],
  ])('keeps the thread of %s', (text, threadId) => {
    const endpoint = `https://discord.com${path}`;
    expect(parseWebhookAddress(text, hosts)).toMatchObject({
      threadId,
      endpoint,
      url: threadId === null ? endpoint : `${endpoint}?thread_id=${threadId}`,
    });
  });

  it.each([
    ['?wait=true', /Remove the other parameters/],
    ['?thread_id=140000000000000201&wait=true', /Remove the other parameters/],
    ['?thread_id=140000000000000201&thread_id=140000000000000202', /Remove the other parameters/],
    ['?Thread_ID=140000000000000201', /Remove the other parameters/],
    ['?thread_id=', /number of a thread/],
    ['?thread_id=general', /number of a thread/],
    ['?thread_id=140000000000000201=', /number of a thread/],
    ['?thread_id=1400000000000002010000', /number of a thread/],
    ['#x', /Remove "#"/],
    ['?thread_id=140000000000000201#x', /Remove "#"/],
    ['?thread_id=%31', /not a Discord webhook URL/],
  ])('says why %s is refused', (end, sentence) => {
    const text = `https://discord.com${path}${end}`;
    expect(parseWebhookAddress(text, hosts)).toBeNull();
    expect(() => requireWebhookAddress(text, hosts)).toThrow(sentence);
  });

  it('masks the id and the token', () => {
    const masked = maskWebhook(
      'https://discord.com/api/webhooks/123456789012345678/abcdefghijklmnopqrstuvwxyz0123456789',
    );
    expect(masked).toBe('https://discord.com/api/webhooks/1234…/••••6789');
    expect(
      maskWebhook(
        'https://discord.com/api/webhooks/123456789012345678/abcdefghijklmnopqrstuvwxyz0123456789?thread_id=140000000000000201',
      ),
    ).toBe('https://discord.com/api/webhooks/1234…/••••6789?thread_id=140000000000000201');
    expect(maskWebhook('https://discord.com/api/webhooks/123456789012345678/short')).not.toContain('short');
    expect(maskWebhook('nonsense with a secret')).toBe('••••');
  });
});
