import { describe, expect, it } from 'vitest';
import { maskWebhook, parseWebhookAddress } from './webhook-address';

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

  it('masks the id and the token', () => {
    const masked = maskWebhook(
      'https://discord.com/api/webhooks/123456789012345678/abcdefghijklmnopqrstuvwxyz0123456789',
    );
    expect(masked).toBe('https://discord.com/api/webhooks/1234…/••••6789');
    expect(maskWebhook('https://discord.com/api/webhooks/123456789012345678/short')).not.toContain('short');
    expect(maskWebhook('nonsense with a secret')).toBe('••••');
  });
});
