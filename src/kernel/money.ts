export const CURRENCY = 'GBP';
