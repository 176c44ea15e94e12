/** A letter as text and as HTML, from the same parts. No picture, no font and no script is loaded. */

/** A paragraph, an address to open, lines of a table, or a line that is quieter than the rest. */
export type Part =
  | { paragraph: string }
  | { link: string }
  | { rows: readonly (readonly [label: string, value: string])[] }
  | { heading: string }
  | { note: string };

export interface Laid {
  text: string;
  html: string;
}

export function layOut(language: string, title: string, parts: readonly Part[]): Laid {
  return { text: `${parts.map(textOf).join('\n\n')}\n`, html: page(language, title, parts.map(htmlOf)) };
}

function textOf(part: Part): string {
  if ('paragraph' in part) return part.paragraph;
  if ('link' in part) return part.link;
  if ('heading' in part) return part.heading;
  if ('note' in part) return part.note;
  const width = Math.max(...part.rows.map(([label]) => label.length));
  return part.rows.map(([label, value]) => `${`${label}:`.padEnd(width + 2)}${value}`).join('\n');
}

function htmlOf(part: Part): string {
  if ('paragraph' in part) return `<p style="margin:0 0 16px">${escapeLines(part.paragraph)}</p>`;
  if ('link' in part)
    return `<p style="margin:0 0 16px"><a href="${escapeHtml(part.link)}">${escapeHtml(part.link)}</a></p>`;
  if ('heading' in part)
    return `<h2 style="margin:24px 0 8px;font-size:17px">${escapeHtml(part.heading)}</h2>`;
  if ('note' in part)
    return `<p style="margin:24px 0 0;font-size:13px;color:#666">${escapeLines(part.note)}</p>`;
  return `<table role="presentation" style="border-collapse:collapse;margin:0 0 16px">${part.rows.map(row).join('')}</table>`;
}

const row = ([label, value]: readonly [string, string]) =>
  `<tr><th style="text-align:left;vertical-align:top;font-weight:normal;color:#666;padding:4px 16px 4px 0">${escapeHtml(label)}</th><td style="padding:4px 0">${escapeLines(value)}</td></tr>`;

const page = (language: string, title: string, body: readonly string[]) =>
  [
    '<!doctype html>',
    `<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>`,
    '<body style="margin:0;padding:24px;font-family:Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5;color:#222;background:#fff">',
    '<div style="max-width:560px;margin:0 auto">',
    ...body,
    '</div></body></html>',
    '',
  ].join('\n');

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPED[character] ?? '');

const escapeLines = (text: string) => escapeHtml(text).replace(/\r\n|\r|\n/g, '<br>');
