import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type Page, chromium as playwright } from 'playwright-core';

/** The packaged arguments are for a function in the cloud: among others they switch off what the browser checks. */
const ARGUMENTS = ['--no-sandbox', '--disable-gpu'];
const LACKS_LIBRARIES = /error while loading shared libraries: (\S+):/;

/** The one in the npm registry is made for these processors; for others the environment may name one. */
const PACKAGED_FOR = 'x64';

/** A browser, or the sentence that says why this machine cannot start it. */
export async function launchBrowser(): Promise<Browser | string> {
  const { CHROMIUM } = process.env;
  if (CHROMIUM === undefined && process.arch !== PACKAGED_FOR) {
    return `The packaged Chromium is made for ${PACKAGED_FOR}, this is ${process.arch}; CHROMIUM may name another`;
  }
  const executablePath = CHROMIUM ?? (await chromium.executablePath());
  try {
    return await playwright.launch({ executablePath, args: ARGUMENTS });
  } catch (error) {
    const library = LACKS_LIBRARIES.exec(String(error))?.[1];
    if (library === undefined) throw error;
    return `Chromium cannot start here: the system has no ${library}`;
  }
}

export interface WatchedPage {
  page: Page;
  /** Addresses of all requests that the page made. */
  requests: string[];
  /** Errors on the console, uncaught exceptions and violations of the content security policy. */
  complaints: string[];
}

/** A page that notes what it asks for and what it complains about. */
export async function openPage(profile: BrowserContext): Promise<WatchedPage> {
  const page = await profile.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  // Not every violation of the policy is written to the console.
  await page.addInitScript({
    content: `addEventListener('securitypolicyviolation', (event) =>
      console.error('refused by policy: ' + event.violatedDirective + ' ' + event.blockedURI));`,
  });
  return { page, requests, complaints };
}
