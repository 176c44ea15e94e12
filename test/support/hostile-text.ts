/** What somebody may write who would like it to run in the browser of another. */
import type { Page } from 'playwright-core';

export const HOSTILE_TEXT = '<img src=x onerror=alert(1)><script>alert(2)</script>"\'`';
export const HOSTILE_LINK = 'javascript:alert(3)';

/** Fields that people, partners or guests fill in. */
const FREE_TEXT =
  /name$|notes?$|comments?$|text$|reason$|summary$|description$|title$|message$|body$|sentence$|company$|partnerBookingId$|question$|answer$|detail$|label$|caption$|alt$|terms$|policy$|street$|line[12]$|postcode$|city$|area$|subject$|reference$|instructions$|before$|after$|value$/i;
const LINK = /url$|website$|link$|href$/i;
/** Words that pages compare with, and dates. */
const IS_WORD = /^(?:[a-z_.]+|[\d:TZ.+-]+|[A-Z]{3})$/;

/** The same answer with all such fields filled by somebody hostile. */
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
export function poison(value: any, key = ''): any {
  if (Array.isArray(value)) return value.map((one) => poison(one, key));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, poison(one, name)]));
  }
  if (typeof value !== 'string' || value === '') return value;
  if (LINK.test(key)) return HOSTILE_LINK;
  return FREE_TEXT.test(key) && !IS_WORD.test(value) ? `${value} ${HOSTILE_TEXT}` : value;
}

/** Images run nothing, whatever their address is; the policy refuses these, and the browser says so. */
export const isImageRefused = (text: string) => /img-src|^asked javascript:/.test(text);

/** What has become more than text on a page, and whether the text can be read there. */
export function injectedIn(page: Page): Promise<{ injected: string[]; isShown: boolean }> {
  return page.evaluate(`(() => {
    const own = new Set(document.querySelectorAll('head > script'));
    const found = [
      ...document.querySelectorAll('img[src="x"], img[src$="/x"], iframe, object, embed'),
      ...[...document.querySelectorAll('script')].filter((script) => !own.has(script)),
      ...[...document.querySelectorAll('*')].filter((element) =>
        [...element.attributes].some(({ name, value }) =>
          /^on/i.test(name) || (/^(href|action|formaction|xlink:href)$/i.test(name) && /^\\s*(javascript|vbscript):/i.test(value)))),
    ];
    const fields = [...document.querySelectorAll('input, textarea')].map(({ value }) => value);
    const shown = [document.body.textContent, ...fields].some((text) => text.includes('<img src=x'));
    return { injected: found.map((element) => element.outerHTML.slice(0, 200)), isShown: shown };
  })()`);
}
