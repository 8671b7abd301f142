import { parentPort } from 'node:worker_threads';
import { judgeOutcome, type JudgedPage } from '../judging/judge-outcome';

/** The program of the judging thread: says that it listens, then answers each page with its judgement. */
parentPort?.on('message', (page: JudgedPage) => parentPort?.postMessage(judgeOutcome(page)));
parentPort?.postMessage('ready');
