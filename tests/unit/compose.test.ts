import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readConfig } from '#shared/config.server';
import { environmentSchema } from '#shared/environment.server';
import { parseProcfile } from '../../scripts/commands/procfile.mjs';

const service = z.object({
  image: z.string(),
  build: z.literal('.').optional(),
  command: z.string().optional(),
  entrypoint: z.string().optional(),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  ports: z.array(z.string()).default([]),
  networks: z.object({ default: z.object({ aliases: z.array(z.string()) }) }).optional(),
});

/** With a secret of the shell, as Compose reads it. */
const text = readFileSync('compose.yaml', 'utf8').replaceAll(
  /\$\{(\w+):\?[^}]*\}/g,
  'q7Zk2vXw9sLr4TbN8yHd3mFc6pJg1eUa',
);
const { services, configs } = z
  .object({
    services: z.record(z.string(), service),
    configs: z.object({ caddyfile: z.object({ content: z.string() }) }),
  })
  .parse(parse(text, { merge: true }));

const ours = Object.entries(services).filter(([, { build }]) => build === '.');
const dockerfile = readFileSync('Dockerfile', 'utf8');
const ofImage = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]),
);
const procfile = parseProcfile(readFileSync('Procfile', 'utf8')) as Record<string, string>;
const config = () => readConfig({ ...ofImage, ...services['web-1']?.environment });

test('two webs, two daemons and the migration run the lines of the Procfile', () => {
  const commands = Object.fromEntries(ours.map(([name, { command }]) => [name, command]));
  expect(commands).toEqual({
    migrate: procfile.release,
    'web-1': procfile.web,
    'web-2': procfile.web,
    'daemon-1': procfile.daemon,
    'daemon-2': procfile.daemon,
  });
});

test('each process of the product has the same configuration, which has no fault', () => {
  const known = Object.keys(environmentSchema.shape);
  for (const [, { environment }] of ours) {
    expect(environment).toEqual(services['web-1']?.environment);
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
  }
  expect(config().production).toBe(true);
  expect(config().web.trustProxy).toBe(1);
});

test('the addresses in the configuration are those of the other services, with their credentials', () => {
  const { database, redisUrl, s3, mail } = config();
  const hosts = Object.entries(services).flatMap(([name, { networks }]) => [
    name,
    ...(networks?.default.aliases ?? []),
  ]);
  const url = new URL(database.engine === 'postgres' ? database.url : '');
  for (const { hostname } of [url, ...[redisUrl, s3?.url, mail?.smtpUrl].map((text) => new URL(text ?? ''))])
    expect(hosts).toContain(hostname);
  expect(services.postgres?.environment).toMatchObject({
    POSTGRES_USER: url.username,
    POSTGRES_PASSWORD: url.password,
    POSTGRES_DB: url.pathname.slice(1),
  });
  expect(services.s3?.environment).toEqual({
    MINIO_ROOT_USER: s3?.accessKeyId,
    MINIO_ROOT_PASSWORD: s3?.secretAccessKey,
  });
  expect(services.s3?.entrypoint).toContain(`mkdir -p /data/${s3?.bucket} `);
  expect(services.redis?.command).toMatch(/--appendonly yes .*noeviction/);
});

test('the proxy leads to both webs, with a cookie for the uploads, and APP_URL to the proxy', () => {
  const { appUrl, web, s3 } = config();
  const { content } = configs.caddyfile;
  const upstreams = `web-1:${web.port} web-2:${web.port}`;
  expect(content).toContain(`reverse_proxy ${upstreams} {`);
  expect(content).toMatch(new RegExp(`reverse_proxy @uploads ${upstreams} \\{\\s+lb_policy cookie `));
  const [, path = ''] =
    /TUS_PATH = '([^']+)'/.exec(readFileSync('app/routes/api/tus/tus-path.ts', 'utf8')) ?? [];
  expect(content).toContain(`@uploads path ${path} ${path}/*`);
  expect(services.proxy?.ports).toEqual([`127.0.0.1:${new URL(appUrl).port}:80`]);
  // Signed links name the address, so browsers and processes must use the same.
  expect(services.s3?.ports).toContain(`127.0.0.1:${new URL(s3?.url ?? '').port}:9000`);
});

test('each image of another project has the tag of one release, and no port is open to the network', () => {
  for (const [name, { image, build, ports }] of Object.entries(services)) {
    if (build === undefined) expect(image, name).toMatch(/:(?:v?\d+\.\d+(?:\.\d+)?|RELEASE\.[\dTZ-]+)$/);
    for (const port of ports) expect(port, name).toMatch(/^127\.0\.0\.1:/);
  }
});
