import type SMTPPool from 'nodemailer/lib/smtp-pool';
import { connectTcp } from '../../network/connect/connect-tcp.server';

type GetSocket = NonNullable<SMTPPool.Options['getSocket']>;

const SMTPS_PORT = 465;
const SUBMISSION_PORT = 587;

/**
 * Opens the connections of a nodemailer transport as for every other service: nodemailer itself ends each attempt but the
 * last after 250 ms when a server has addresses of both families.
 */
export function openSmtpSocket({ timeoutMs }: { timeoutMs: number }): GetSocket {
  return ({ host, port, secure }, callback) => {
    const usual = secure === true ? SMTPS_PORT : SUBMISSION_PORT;
    connectTcp({ hostname: host ?? 'localhost', port: Number(port) || usual }, { timeoutMs }).then(
      (connection) => callback(null, { connection }),
      (error: Error) => callback(error),
    );
  };
}
