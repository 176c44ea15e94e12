/** What the supplier sells: one product with one option and three units. */
export const PRODUCT = 'tower';
export const OPTION = 'DEFAULT';
export const RETAIL: Record<string, number> = { adult: 2500, child: 1500, senior: 2000 };

export const pricingOf = (retail: number) => ({
  original: retail,
  retail,
  net: retail,
  currency: 'GBP',
  currencyPrecision: 2,
  includedTaxes: [],
});

const unit = (id: string, accompaniedBy: string[] = []) => ({
  id,
  internalName: id,
  reference: null,
  type: id.toUpperCase(),
  restrictions: {
    minAge: 0,
    maxAge: 100,
    idRequired: false,
    minQuantity: null,
    maxQuantity: null,
    paxCount: 1,
    accompaniedBy,
  },
  requiredContactFields: [],
  pricingFrom: [pricingOf(RETAIL[id] ?? 0)],
});
export const productWith = ({
  zone,
  maxUnits,
  isPending,
}: {
  zone: string;
  maxUnits: number;
  isPending: boolean;
}) => ({
  id: PRODUCT,
  internalName: 'Tower tour',
  reference: null,
  locale: 'en',
  timeZone: zone,
  allowFreesale: false,
  instantConfirmation: !isPending,
  instantDelivery: true,
  availabilityRequired: true,
  availabilityType: 'START_TIME',
  deliveryFormats: ['QRCODE'],
  deliveryMethods: ['VOUCHER'],
  redemptionMethod: 'DIGITAL',
  defaultCurrency: 'GBP',
  availableCurrencies: ['GBP'],
  pricingPer: 'UNIT',
  options: [
    {
      id: OPTION,
      default: true,
      internalName: 'Standard',
      reference: null,
      availabilityLocalStartTimes: ['10:00', '14:00', '18:00'],
      cancellationCutoff: '1 hour',
      cancellationCutoffAmount: 1,
      cancellationCutoffUnit: 'hour',
      requiredContactFields: [],
      restrictions: { minUnits: 1, maxUnits },
      units: [unit('adult'), unit('child', ['adult']), unit('senior')],
    },
  ],
});
