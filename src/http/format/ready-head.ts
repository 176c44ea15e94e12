/**
 * Heads of answers that are sent again and again, as text. Node puts the head of every answer together anew and checks
 * each value of it, which was a tenth of what a kept answer costs.
 */
import type { ServerResponse } from 'node:http';

/** To Node, a response with this text has its head already, and sends it with the first bytes of the body. */
interface WithHead {
  _header: string;
}

/** Lines of a head. The values are ours, or checked: nothing here looks for what may not stand in a head. */
export function headLines(headers: Record<string, string | number>): string {
  let lines = '';
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  return lines;
}

/** Otherwise the connection ends with this answer, which Node sees to while it writes the head. */
export const canSendLines = (response: ServerResponse): boolean =>
  response.shouldKeepAlive && response.sendDate && response.req.httpVersion === '1.1';

/** A 200 with these lines, and those that Node adds. */
export function sendLines(response: ServerResponse, lines: string, body: Buffer, idleSeconds: number): void {
  const kept = `Date: ${dateNow()}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${idleSeconds}\r\n`;
  (response as ServerResponse & WithHead)._header = `HTTP/1.1 200 OK\r\n${lines}${kept}\r\n`;
  response.end(body);
}

let secondOfDate = 0;
let date = '';

function dateNow(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== secondOfDate) {
    secondOfDate = second;
    date = new Date(second * 1000).toUTCString();
  }
  return date;
}
