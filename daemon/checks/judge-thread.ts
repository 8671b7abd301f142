import { parentPort } from 'node:worker_threads';
import { judgeOutcome } from '../waiting-room/judge-page';
import type { JudgedPage } from './judge';

/** The program of the judging thread: answers each page with its judgement. */
parentPort?.on('message', (page: JudgedPage) => parentPort?.postMessage(judgeOutcome(page)));
