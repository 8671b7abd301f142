import { expect, test } from 'vitest';
import { isPublicHost } from './public-host';

const hostOf = (address: string) => new URL(address).hostname;

test.each([
  'https://cdn.example',
  'https://CDN.Example.',
  'https://локальный.example',
  'https://local.example',
  'https://internal.packwatch.example:8443',
  'https://8.8.8.8',
  'https://[2606:4700::1111]',
])('%s is public', (address) => {
  expect(isPublicHost(hostOf(address))).toBe(true);
});

test.each([
  'https://127.0.0.1',
  'https://127.1',
  'https://127.0.0.1.',
  'https://2130706433',
  'https://0x7f000001',
  'https://0177.0.0.1',
  'https://0x7f.0.0.0x1',
  'https://①②⑦.0.0.1',
  'https://127。0。0。1',
  'https://%31%32%37.0.0.1',
  'https://0.0.0.0',
  'https://0',
  'https://10.0.0.1',
  'https://172.16.0.1',
  'https://192.168.1.1',
  'https://100.64.0.1',
  'https://169.254.169.254',
  'https://198.18.0.1',
  'https://224.0.0.1',
  'https://255.255.255.255',
  'https://[::1]',
  'https://[::]',
  'https://[0:0:0:0:0:0:0:1]',
  'https://[::127.0.0.1]',
  'https://[::ffff:127.0.0.1]',
  'https://[::ffff:7f00:1]',
  'https://[::ffff:8.8.8.8]',
  'https://[64:ff9b::7f00:1]',
  'https://[64:ff9b:1::7f00:1]',
  'https://[2002:7f00:1::]',
  'https://[fe80::1]',
  'https://[fc00::1]',
  'https://[fd12:3456::1]',
  'https://[fec0::1]',
  'https://[ff02::1]',
  'https://localhost',
  'https://LOCALHOST.',
  'https://loc%61lhost',
  'https://a.localhost',
  'https://printer',
  'https://printer.local',
  'https://Printer.LOCAL.',
  'https://printer.local..',
  'https://metadata.google.internal',
  'https://router.home.arpa',
  'https://nas.lan',
  'https://wiki.corp',
])('%s is not', (address) => {
  expect(isPublicHost(hostOf(address))).toBe(false);
});
