import type { ResponseHeaders } from '../http/app';

/** A page with the status and headers of its vendor. */
export interface ShopResponse {
  status: number;
  headers: ResponseHeaders;
  body: string | Buffer;
}

/** The room's number in Imperva's markup. It changes with every sale, so nothing may depend on it. */
const ROOM_ID = 4_127;

const HTML = 'text/html; charset=utf-8';
const INCIDENT = '1042000180016342871-84412093771255382';

/** The headers that Imperva adds to every response, including ordinary pages. */
export function impervaHeaders(): ResponseHeaders {
  return {
    'x-cdn': 'Imperva',
    'x-iinfo': '9-30117244-30117251 NNNY CT(1 2 0) RT(1794907200113 20) q(0 0 1 0) r(3 3) U6',
    'set-cookie': ['visid_incap_2714310=sandbox; HttpOnly; path=/', 'incap_ses_1042_2714310=sandbox; path=/'],
  };
}

/** A page with one frame: the waiting room if its address contains `wrid`, else a block page. Nothing else differs. */
function impervaFrame(query: string): ShopResponse {
  return {
    status: 200,
    headers: { ...impervaHeaders(), 'content-type': 'text/html', 'cache-control': 'no-cache, no-store' },
    body: `<html style="height:100%"><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"><meta name="format-detection" content="telephone=no"><meta name="viewport" content="initial-scale=1.0"><meta http-equiv="X-UA-Compatible" content="IE=edge,chrome=1"></head><body style="margin:0px;height:100%"><iframe id="main-iframe" src="/_Incapsula_Resource?${query}&incident_id=${INCIDENT}&cinfo=0b000000&rpinfo=0&cip=203.0.113.24&mth=GET" frameborder=0 width="100%" height="100%" marginheight="0px" marginwidth="0px">Request unsuccessful. Incapsula incident ID: ${INCIDENT}</iframe></body></html>`,
  };
}

export function impervaRoomFrame(): ShopResponse {
  const xinfo =
    '9-30117244-0%20NNNN%20RT%281794907200123%2030%29%20q%280%20-1%20-1%20-1%29%20r%280%20-1%29%20U24%20WR%28P%20-1%20-1%200%2060%29';
  return impervaFrame(`CWUDNSAI=43&xinfo=${xinfo}&edet=47&wrid=${ROOM_ID}&wrcid=${ROOM_ID}`);
}

export function impervaBlock(): ShopResponse {
  const xinfo =
    '9-30117244-0%200NNN%20RT%281794907200123%2030%29%20q%280%20-1%20-1%203%29%20r%281%20-1%29%20B12%2811%2c2262164%2c0%29%20U24';
  return impervaFrame(`SWUDNSAI=31&xinfo=${xinfo}&edet=12`);
}

/** The page inside the frame. It polls once a second whether the visitor is admitted. */
export function impervaRoomPage(): ShopResponse {
  return {
    status: 200,
    headers: { ...impervaHeaders(), 'content-type': HTML, 'cache-control': 'no-cache, no-store' },
    body: `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Tanglewood Cards</title><meta name="robots" content="noindex, nofollow"><meta name="viewport" content="width=device-width, initial-scale=1"><style>body{font-family:Georgia,serif;text-align:center;background:#fbf8f0;color:#20302a}.wrapper{max-width:620px;margin:12vh auto}</style><script>
var TTW="${ROOM_ID}_ttw",POS="${ROOM_ID}_position";
function poll(){var x=new XMLHttpRequest();x.open("GET","/_Incapsula_Resource?SWWRGTS=${ROOM_ID}",true);x.onload=function(){var d=JSON.parse(x.responseText);if(d.pending===0||d.rld===1){location.reload();return}localStorage.setItem(TTW,d.ttw);localStorage.setItem(POS,d.pos);document.getElementById("ttw").textContent=d.ttw;document.getElementById("position").textContent=d.pos};x.send()}
setInterval(poll,1000);</script></head><body><div id="loader" hidden></div><div class="wrapper"><h1>Hello, collector! You're in the virtual queue to enter Tanglewood Cards.</h1><p>Keep this window open. You will be let in automatically.</p><p>Estimated wait time: <span id="ttw">00:12:00</span></p><p>Your position: <span id="position">1204</span></p></div></body></html>`,
  };
}

/** The queue host's page (Queue-it's markup: see the public connectors' docs and captures of its pages). */
export function queueItPage(customer: string, event: string): ShopResponse {
  const view = {
    customerId: customer,
    eventId: event,
    queueId: '6f1c2f0a-5b8e-4d55-9c0e-0d7a5c1b9e21',
    culture: 'en-GB',
    inqueueInfo: {
      isBeforeOrIdle: false,
      pageId: 'queue',
      pageClass: 'queue',
      QueueState: 2,
      ticket: { queueNumber: '8412', usersInLineAheadOfYou: '7310', secondsToStart: 0, IsEventIdle: false },
    },
  };
  return {
    status: 200,
    headers: { 'content-type': HTML, 'cache-control': 'no-cache, no-store' },
    body: `<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title>Tanglewood Cards</title><meta id="queue-it_log" data-userid="5e0a2d64-3f0b-4b0e-8f0d-6f6c9b1a7733"><meta http-equiv="refresh" content="30"><script>window.queueViewModel = new QueueIt.Queue.InQueueView(${JSON.stringify(view).replaceAll('<', '\\u003c')});window.queueViewModel.init();</script></head><body data-pageid="queue" data-culture="en-GB" class="queue"><div id="main"><div id="content"><div id="header"><h2><span id="lbHeaderH2">You are now in line</span></h2><p><span id="lbHeaderP">When it is your turn, you will have ten minutes to enter Tanglewood Cards.</span></p></div><div id="MainPart_divProgressbar" role="progressbar" aria-valuenow="14"></div><p><span id="MainPart_lbQueueNumberText">Your number in line:</span> <span id="MainPart_lbQueueNumber">8412</span><br><span id="MainPart_lbUsersInLineAheadOfYouText">Number of users in line ahead of you:</span> <span id="MainPart_lbUsersInLineAheadOfYou">7310</span><br><span id="MainPart_lbWhichIsInText">Your estimated wait time is:</span> <span id="MainPart_lbWhichIsIn">21 minutes</span></p></div><div id="footer"><a id="aThisIsQueueIt" href="https://queue-it.com/">QUEUE-IT</a></div></div></body></html>`,
  };
}

/** The headers of Cloudflare's waiting room (developers.cloudflare.com, "Waiting Room › Cookies", "› JSON response"). */
function cloudflareRoomHeaders(): ResponseHeaders {
  return {
    server: 'cloudflare',
    'cf-ray': '9c41d2e83b7f6071-LHR',
    refresh: '20',
    'cache-control': 'private, max-age=0, no-store',
    'set-cookie': ['__cfwaitingroom=c2FuZGJveA; Path=/; HttpOnly; SameSite=Lax'],
  };
}

export function cloudflareRoomPage(now: Date): ShopResponse {
  return {
    status: 200,
    headers: { ...cloudflareRoomHeaders(), 'content-type': HTML },
    body: `<!DOCTYPE html><html lang="en-US"><head><title>Waiting Room powered by Cloudflare</title><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta http-equiv="refresh" content="20"></head><body><main class="waitingrooms-text"><h1>You are now in line.</h1><p>Thank you for your patience.</p><h2 id="waitTime">Your estimated wait time is 8 minutes.</h2><p>A high volume of visitors is being let in a few at a time, so that the site stays quick for everybody.</p><p id="last-updated">Last updated: ${now.toUTCString()}</p><p>This page refreshes by itself; please do not close your browser.</p></main></body></html>`,
  };
}

export function cloudflareRoomJson(now: Date): ShopResponse {
  const cfWaitingRoom = {
    inWaitingRoom: true,
    waitTime: 8,
    waitTimeKnown: true,
    waitTimeFormatted: '8 minutes',
    queueIsFull: false,
    queueAll: false,
    lastUpdated: now.toISOString(),
    refreshIntervalSeconds: 20,
  };
  return {
    status: 200,
    headers: { ...cloudflareRoomHeaders(), 'content-type': 'application/json' },
    body: JSON.stringify({ cfWaitingRoom }),
  };
}

/** A home-made waiting room: recognisable only by its wording. */
export function wordsRoomPage(): ShopResponse {
  return {
    status: 200,
    headers: { 'content-type': HTML, 'cache-control': 'no-store' },
    body: `<!DOCTYPE html><html lang="en-GB"><head><meta charset="utf-8"><title>Tanglewood Cards</title><style>body{font:18px/1.5 Georgia,serif;text-align:center;padding:15vh 20px;background:#fbf8f0}</style></head><body><h1>You’re in line</h1><p>Lots of collectors want to come in at once, so we are letting people in one by one.</p><p>There are 1,204 people ahead of you. Estimated wait: 9 minutes.</p><p>Please keep this page open, or you will lose your place.</p></body></html>`,
  };
}

/** Cloudflare's challenge (developers.cloudflare.com, "Challenges › Detect a challenge page response"). */
export function cloudflareChallenge(): ShopResponse {
  return {
    status: 403,
    headers: {
      'content-type': HTML,
      server: 'cloudflare',
      'cf-ray': '9c41d2e83b7f6074-LHR',
      'cf-mitigated': 'challenge',
    },
    body: `<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta name="robots" content="noindex,nofollow"></head><body><div class="main-wrapper"><h1>tanglewood.example</h1><p id="challenge-error-text">Enable JavaScript and cookies to continue</p></div><script>window._cf_chl_opt={cvId:"3",cType:"managed"};</script><script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=9c41"></script></body></html>`,
  };
}

/** Akamai's denial, with an entity for every punctuation mark as in the original. */
export function akamaiDenied(): ShopResponse {
  return {
    status: 403,
    headers: { 'content-type': 'text/html', server: 'AkamaiGHost', 'mime-version': '1.0' },
    body: `<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\n \nYou don't have permission to access "http&#58;&#47;&#47;tanglewood&#46;example&#47;en&#45;gb" on this server.<P>\nReference&#32;&#35;18&#46;8d31002&#46;1794907200&#46;2b7c4d1e\n<P>\nhttps&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18&#46;8d31002&#46;1794907200&#46;2b7c4d1e</P>\n</BODY>\n</HTML>\n`,
  };
}

export function brokenShop(): ShopResponse {
  return {
    status: 503,
    headers: { 'content-type': HTML, 'retry-after': '120' },
    body: '<!DOCTYPE html><html><head><title>503 Service Unavailable</title></head><body><h1>Service Unavailable</h1><p>We will be back shortly.</p></body></html>',
  };
}
