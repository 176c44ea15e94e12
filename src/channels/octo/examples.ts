/** What the OpenAPI document shows. */
import { NO_CONTACT } from './contact.ts';
import type { Availability, CalendarDay, OctoBooking, Product, Supplier } from './schema.ts';

export const supplierExample: Supplier = {
  id: 'maitred',
  name: 'Maitred',
  endpoint: 'https://api.maitred.example/octo',
  contact: { website: 'https://api.maitred.example', email: null, telephone: null, address: null },
};

export const productExample: Product = {
  id: '1|house|soho-grill|dinner',
  internalName: 'Soho Grill: Dinner',
  reference: 'dinner',
  locale: 'en-GB',
  timeZone: 'Europe/London',
  allowFreesale: false,
  instantConfirmation: true,
  instantDelivery: true,
  availabilityRequired: true,
  availabilityType: 'START_TIME',
  deliveryFormats: ['QRCODE'],
  deliveryMethods: ['VOUCHER'],
  redemptionMethod: 'MANIFEST',
  options: [
    {
      id: 'DEFAULT',
      default: true,
      internalName: 'Dinner',
      reference: null,
      availabilityLocalStartTimes: ['18:00', '18:30', '19:00', '19:30'],
      cancellationCutoff: '0 hours',
      cancellationCutoffAmount: 0,
      cancellationCutoffUnit: 'hour',
      requiredContactFields: ['firstName', 'lastName'],
      restrictions: { minUnits: 1, maxUnits: 8 },
      units: [
        {
          id: 'guest',
          internalName: 'Guest',
          reference: null,
          type: 'ADULT',
          restrictions: {
            minAge: 0,
            maxAge: 100,
            idRequired: false,
            minQuantity: 1,
            maxQuantity: 8,
            paxCount: 1,
            accompaniedBy: [],
          },
          requiredContactFields: [],
        },
      ],
    },
  ],
};

export const availabilityExample: Availability = {
  id: '2026-12-05T19:30:00+00:00',
  localDateTimeStart: '2026-12-05T19:30:00+00:00',
  localDateTimeEnd: '2026-12-05T21:00:00+00:00',
  utcCutoffAt: '2026-12-05T19:30:00Z',
  allDay: false,
  available: true,
  status: 'AVAILABLE',
  vacancies: null,
  capacity: null,
  openingHours: [{ from: '18:00', to: '23:00' }],
  maxUnits: 8,
};

export const calendarExample: CalendarDay = {
  localDate: '2026-12-05',
  available: true,
  status: 'AVAILABLE',
  vacancies: null,
  capacity: null,
  openingHours: [{ from: '18:00', to: '23:00' }],
};

export const reservationExample: OctoBooking = {
  id: '0b9f0c3e-7d5a-4c53-9c0e-9a6f1f6f2b11',
  uuid: '0b9f0c3e-7d5a-4c53-9c0e-9a6f1f6f2b11',
  testMode: true,
  resellerReference: 'order-4711',
  supplierReference: null,
  status: 'ON_HOLD',
  utcCreatedAt: '2026-11-15T10:12:30.125Z',
  utcUpdatedAt: '2026-11-15T10:12:30.125Z',
  utcExpiresAt: '2026-11-15T10:42:30.125Z',
  utcRedeemedAt: null,
  utcConfirmedAt: null,
  productId: productExample.id,
  optionId: 'DEFAULT',
  cancellable: true,
  cancellation: null,
  freesale: false,
  availabilityId: availabilityExample.id,
  availability: { ...availabilityExample, openingHours: [], maxUnits: null },
  contact: NO_CONTACT,
  notes: null,
  deliveryMethods: ['VOUCHER'],
  voucher: { redemptionMethod: 'MANIFEST', utcRedeemedAt: null, deliveryOptions: [] },
  unitItems: ['7c1e1a52-2f0e-4f5f-9d0c-6f3f6c1f7a01', '7c1e1a52-2f0e-4f5f-9d0c-6f3f6c1f7a02'].map((uuid) => ({
    uuid,
    resellerReference: null,
    supplierReference: null,
    unitId: 'guest',
    status: 'ON_HOLD' as const,
    utcRedeemedAt: null,
    contact: NO_CONTACT,
    ticket: null,
  })),
};

const confirmed = {
  supplierReference: 'H-7K3M9Q',
  utcUpdatedAt: '2026-11-15T10:15:02.481Z',
  utcExpiresAt: null,
  utcConfirmedAt: '2026-11-15T10:15:02.481Z',
  contact: { ...NO_CONTACT, fullName: 'Ada Lovelace', firstName: 'Ada', lastName: 'Lovelace' },
  voucher: {
    ...reservationExample.voucher,
    deliveryOptions: [{ deliveryFormat: 'QRCODE', deliveryValue: 'H-7K3M9Q' }],
  },
};

const inStatus = (status: OctoBooking['status']): OctoBooking => ({
  ...reservationExample,
  ...confirmed,
  status,
  unitItems: reservationExample.unitItems.map((item) => ({ ...item, status })),
});

export const confirmedExample: OctoBooking = inStatus('CONFIRMED');

export const cancelledExample: OctoBooking = {
  ...inStatus('CANCELLED'),
  cancellable: false,
  cancellation: { refund: 'FULL', reason: 'Plans changed', utcCancelledAt: '2026-11-16T09:00:00.000Z' },
};
