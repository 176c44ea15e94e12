/** The page at which a guest of the sandbox completes a payment, in place of the page of a bank. */
import { hash } from 'node:crypto';
import type { SandboxPayment } from './store.ts';

export interface SandboxPage {
  html: string;
  policy: string;
}

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; font: 17px/1.6 system-ui, sans-serif; }
main { max-width: 26rem; margin: 0 auto; padding: 3rem 1.25rem; text-align: center; }
button { font: inherit; padding: .7rem 1.6rem; margin: .5rem; border: 1px solid; border-radius: .5rem; cursor: pointer; }
.pay { font-weight: 600; }
p { text-wrap: balance; }`;

const styleHash = hash('sha256', STYLE, 'base64');

/** A browser that is sent on after the form asks whether it may go there, too. */
const policyOf = (returnUrl: string | null) =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "base-uri 'none'",
    `form-action 'self'${returnUrl === null ? '' : ` ${new URL(returnUrl).origin}`}`,
    "frame-ancestors 'none'",
  ].join('; ');

const amountOf = ({ amountPence, currency }: SandboxPayment) =>
  new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(amountPence / 100);

const BUTTONS = `<form method="post">
<button class="pay" name="answer" value="pay">Pay</button>
<button name="answer" value="decline">Decline</button>
</form>`;

const SAID: Record<SandboxPayment['status'], string> = {
  open: 'Would you like to pay this?',
  authenticating: 'Your bank asks whether this is you.',
  authorised: 'The money is set aside. You can close this page.',
  succeeded: 'It is paid. You can close this page.',
  cancelled: 'Nothing was paid, and this payment has ended. You can close this page.',
};

export function sandboxPage(payment: SandboxPayment): SandboxPage {
  const isOpen = payment.status === 'open' || payment.status === 'authenticating';
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Payment in the sandbox</title>
<style>${STYLE}</style>
</head>
<body><main>
<h1>${amountOf(payment)}</h1>
<p>${SAID[payment.status]}</p>
${isOpen ? BUTTONS : ''}
<p><small>This is the sandbox: no money moves.</small></p>
</main></body>
</html>
`;
  return { html, policy: policyOf(payment.returnUrl) };
}
