import { describe, expect, it } from 'vitest';
import { isAllowedByRules, readRobotsRules, writeRobotsRules } from './robots-rules';

const allows = (text: string, path: string): boolean =>
  isAllowedByRules(readRobotsRules(text), `https://shop.example${path}`);

describe('robots.txt', () => {
  it.each([
    ['', '/products/x', true],
    ['User-agent: *\nDisallow:', '/products/x', true],
    ['User-agent: *\nDisallow: /', '/products/x', false],
    ['\uFEFFuser-AGENT : * # all\r\ndisALLOW : /products/ # no', '/products/x', false],
    ['User-agent: *\nDisallow: /products\nAllow: /products/x', '/products/x', true],
    ['User-agent: *\nDisallow: /products/x\nAllow: /products/x', '/products/x', true],
    ['User-agent: *\nDisallow: /*?variant=', '/products/x?variant=1', false],
    ['User-agent: *\nDisallow: /*.js$', '/products/x.js', false],
    ['User-agent: *\nDisallow: /*.js$', '/products/x.js?a', true],
    ['User-agent: *\nDisallow: /a$', '/a', false],
    ['User-agent: *\nDisallow: /a$', '/ab', true],
    ['User-agent: *\nDisallow: /*ab*ab$', '/ab', true],
    ['User-agent: *\nDisallow: /pok%C3%A9mon', '/pokémon/1', false],
    ['User-agent: *\nDisallow: /pokémon', '/pok%c3%a9mon/1', false],
    ['User-agent: *\nDisallow: /%7Ejoe', '/~joe', false],
    ['User-agent: Googlebot\nDisallow: /', '/products/x', true],
    ['User-agent: *\nDisallow: /\n\nUser-agent: PackWatch/1.0\nDisallow: /cart', '/products/x', true],
    [
      'User-agent: packwatch\nUser-agent: other\nDisallow: /x\nUser-agent: packwatch\nDisallow: /y',
      '/y',
      false,
    ],
    [
      'User-agent: packwatch\nUser-agent: other\nDisallow: /x\nUser-agent: packwatch\nDisallow: /y',
      '/x',
      false,
    ],
    ['User-agent: *\nSitemap: /s\nDisallow: /x', '/x', false],
    ['Disallow: /', '/products/x', true],
  ])('%j of %s: %s', (text, path, allowed) => {
    expect(allows(text, path)).toBe(allowed);
    expect(allows(writeRobotsRules(readRobotsRules(text)), path)).toBe(allowed);
  });

  it('may ask for a delay', () => {
    expect(readRobotsRules('User-agent: *\nCrawl-delay: 7.5').delayMs).toBe(7_500);
    expect(readRobotsRules('User-agent: *\nCrawl-delay: soon\nCrawl-delay: -1').delayMs).toBeNull();
  });

  it('of 500 KB is read and applied in milliseconds, whatever it holds', () => {
    const agents = 'User-agent: *\n'.repeat(17_000) + 'allow:/\n'.repeat(32_000);
    const wildcards = `User-agent: *\nDisallow: ${'/*a'.repeat(600)}b\n`.repeat(260);
    const before = process.cpuUsage();
    for (const text of [agents, wildcards, 'x'.repeat(500_000), ':'.repeat(500_000), ' '.repeat(500_000)])
      expect(allows(text, `/${'a/'.repeat(1_000)}`)).toBe(true);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
    expect(readRobotsRules(agents).rules).toHaveLength(2_000);
  });
});
