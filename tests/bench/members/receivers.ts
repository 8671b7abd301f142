import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';

/**
 * The outside services of the benchmark of member alerts, a separate process: a shop, Discord, a push service and a mail
 * server. One receiver in ten is slow, one in ten fails at its first attempt, one in a hundred is permanently gone,
 * unless `well` is set. Times are fractional epoch milliseconds, comparable between processes of one machine.
 */
export interface ReceiversReady {
  port: number;
  smtpPort: number;
  /** The ports of broken push services, which listen on all loopback addresses. */
  faultPorts: Record<PushFault, number>;
}

/**
 * `forget`: those that fail once then fail again. `well`: every receiver accepts at once.
 */
export type ReceiversCommand =
  | { order: 'page'; body: string }
  | { order: 'take' }
  | { order: 'forget' }
  | { order: 'well' };

/** The fault of a broken push service: it never answers, sends only headers, drips, or is busy for all. */
export type PushFault = 'silent' | 'headers' | 'drip' | 'busy';

/** The arrivals since the last `take`. */
export interface ReceiversRecords {
  /** When each answer of a shop had been handed to the network, by path. */
  answered: [path: string, at: number][];
  /** When each message to Discord had arrived, by path. */
  discord: [path: string, at: number][];
  /** When each push message and mail was accepted, by the number of its member. */
  push: [member: number, at: number][];
  mail: [member: number, at: number][];
}

/** How a receiver behaves, by the number of its member. */
function behaviourOf(member: number): 'slow' | 'fails once' | 'gone' | 'well' {
  if (allWell) return 'well';
  if (member % 100 === 50) return 'gone';
  if (member % 10 === 3) return 'fails once';
  return member % 10 === 7 ? 'slow' : 'well';
}

const SLOW_PUSH_MS = 2_000;
const SLOW_MAIL_MS = 1_000;

const now = (): number => performance.timeOrigin + performance.now();
const empty = (): ReceiversRecords => ({ answered: [], discord: [], push: [], mail: [] });

let page = '';
let allWell = false;
let records = empty();
let lastMessageId = 0;
const pushFailed = new Set<number>();
const mailFailed = new Set<number>();

function receivePush(member: number, response: ServerResponse): void {
  const behaviour = behaviourOf(member);
  if (behaviour === 'gone') return void response.writeHead(410).end();
  if (behaviour === 'fails once' && !pushFailed.has(member)) {
    pushFailed.add(member);
    return void response.writeHead(500).end();
  }
  records.push.push([member, now()]);
  const accept = (): void => void response.writeHead(201, { location: '/m/1' }).end();
  if (behaviour === 'slow') setTimeout(accept, SLOW_PUSH_MS);
  else accept();
}

const http = createServer((request, response) => {
  const [path = '/'] = (request.url ?? '/').split('?');
  const pushTo = /^\/push\/(\d+)$/.exec(path);
  if (pushTo === null && request.method === 'GET') {
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(page),
    });
    response.end(page, () => records.answered.push([path, now()]));
    return;
  }
  if (pushTo === null) records.discord.push([path, now()]);
  request.resume();
  request.on('end', () => {
    if (pushTo !== null) return receivePush(Number(pushTo[1]), response);
    lastMessageId += 1;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: String(lastMessageId) }));
  });
});
http.keepAliveTimeout = 60_000;

const memberOf = (address: string): number => Number(/\d+/.exec(address)?.[0] ?? -1);
const refuse = (status: number, text: string): Error =>
  Object.assign(new Error(text), { responseCode: status });

const smtp = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  disableReverseLookup: true,
  onRcptTo({ address }, _session, callback) {
    callback(behaviourOf(memberOf(address)) === 'gone' ? refuse(550, '5.1.1 No such user') : null);
  },
  onData(stream, { envelope }, callback) {
    stream.resume();
    stream.on('end', () => {
      const member = memberOf(envelope.rcptTo[0]?.address ?? '');
      const behaviour = behaviourOf(member);
      if (behaviour === 'fails once' && !mailFailed.has(member)) {
        mailFailed.add(member);
        return callback(refuse(451, 'Try again later'));
      }
      records.mail.push([member, now()]);
      if (behaviour === 'slow') setTimeout(() => callback(null), SLOW_MAIL_MS);
      else callback(null);
    });
  },
});
// A killed daemon drops its connections.
smtp.on('error', () => undefined);

process.on('message', (message: ReceiversCommand) => {
  if (message.order === 'page') page = message.body;
  else if (message.order === 'well') allWell = true;
  else if (message.order === 'forget') {
    pushFailed.clear();
    mailFailed.clear();
  }
  const reply = records;
  if (message.order === 'take') records = empty();
  process.send?.(message.order === 'take' ? reply : { done: true });
});
process.on('disconnect', () => process.exit(0));

const FAULTS: Record<PushFault, (socket: Socket) => void> = {
  silent: () => undefined,
  headers: (socket) =>
    void socket.once('data', () => socket.write('HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\n')),
  drip(socket) {
    socket.once('data', () => socket.write('HTTP/1.1 201 Created\r\nContent-Length: 4000\r\n\r\n'));
    const timer = setInterval(() => socket.write('.'), 500);
    socket.on('close', () => clearInterval(timer));
  },
  busy: (socket) =>
    void socket.on('data', () =>
      socket.write('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n'),
    ),
};

function listenFaulty(fault: PushFault): Promise<number> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    FAULTS[fault](socket);
  });
  return new Promise((resolve) =>
    server.listen(0, '0.0.0.0', () => resolve((server.address() as AddressInfo).port)),
  );
}

async function start(): Promise<void> {
  const faultPorts = {
    silent: await listenFaulty('silent'),
    headers: await listenFaulty('headers'),
    drip: await listenFaulty('drip'),
    busy: await listenFaulty('busy'),
  };
  smtp.listen(0, '127.0.0.1', () => {
    http.listen(0, '127.0.0.1', () => {
      const ready: ReceiversReady = {
        port: (http.address() as AddressInfo).port,
        smtpPort: (smtp.server.address() as AddressInfo).port,
        faultPorts,
      };
      process.send?.(ready);
    });
  });
}

void start();
