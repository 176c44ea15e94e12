/** Why a payment or a refund was refused, in words for a guest. */

interface Refusal {
  code?: string | undefined;
  decline_code?: string | undefined;
  param?: string | undefined;
}

const LIMIT = 'The limit of the card is reached.';
const EXPIRY = 'The expiry date of the card is wrong.';
const SECURITY_CODE = 'The security code of the card is wrong.';
const NUMBER = 'The number of the card is wrong.';
const ADDRESS = 'The address or postcode does not belong to the card.';
const AGAIN = 'The bank could not process the payment just now. It may work in a few minutes.';
const NOT_AUTHENTICATED = 'The bank could not confirm that it was the guest.';

const REASONS: Readonly<Record<string, string>> = {
  insufficient_funds: 'There is not enough money on the card.',
  expired_card: 'The card has expired.',
  incorrect_cvc: SECURITY_CODE,
  invalid_cvc: SECURITY_CODE,
  incorrect_number: NUMBER,
  invalid_number: NUMBER,
  invalid_expiry_month: EXPIRY,
  invalid_expiry_year: EXPIRY,
  incorrect_address: ADDRESS,
  incorrect_zip: ADDRESS,
  card_not_supported: 'The card cannot be used for payments like this one.',
  currency_not_supported: 'The card cannot be used in this currency.',
  card_velocity_exceeded: LIMIT,
  withdrawal_count_limit_exceeded: LIMIT,
  amount_too_small: 'The amount is too small to be paid by card.',
  amount_too_large: 'The amount is too large to be paid by card.',
  processing_error: AGAIN,
  try_again_later: AGAIN,
  issuer_not_available: AGAIN,
  reenter_transaction: AGAIN,
  payment_intent_authentication_failure: NOT_AUTHENTICATED,
  balance_insufficient: 'There is not enough money on the account at Stripe.',
  insufficient_balance: 'There is not enough money on the account at Stripe.',
  charge_already_refunded: 'All of this payment was refunded before.',
  charge_disputed: 'The guest has disputed the payment with the bank, so it cannot be refunded.',
  account_invalid: 'The account that the money goes to cannot take payments.',
};

const TOKENS = ['payment_method', 'confirmation_token'];

/** A card that was lost, stolen or is watched is no business of the person who holds it: those are just declined. */
export function reasonOf({ code, decline_code: declined, param }: Refusal): string {
  const known = REASONS[declined ?? ''] ?? REASONS[code ?? ''];
  if (known !== undefined) return known;
  if (declined !== undefined || code === 'card_declined') return 'The bank declined the card.';
  if (param !== undefined && TOKENS.includes(param)) return 'The token stands for no card that can be used.';
  if (param?.startsWith('allowed_payment_method_types'))
    return 'The account takes no payments by this method.';
  return 'Stripe refused the request.';
}

const REFUND_REASONS: Readonly<Record<string, string>> = {
  lost_or_stolen_card: 'The card was lost or stolen.',
  expired_or_canceled_card: 'The card has expired or was cancelled.',
  insufficient_funds: 'There is not enough money on the account at Stripe.',
  merchant_request: 'It was stopped by hand.',
};

/** Money that comes back from the bank stays on the account until the operator sends it another way. */
export const refundReasonOf = (reason: string | undefined): string =>
  REFUND_REASONS[reason ?? ''] ?? 'The bank did not accept the refund.';
