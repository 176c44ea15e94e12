import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bodyOfVenue,
  coordinatesOf,
  valuesOfVenue,
} from '../../src/console/browser/components/venue/venue-values.ts';

test('a venue that was only looked at is sent back as it was', () => {
  const body = {
    name: 'The Copper Pot',
    timeZone: 'Europe/London',
    phoneNumber: null,
    website: 'https://copper.example',
    types: ['restaurant'],
    hostVenueId: null,
    content: { summary: 'Stews.', description: null, highlights: ['River', 'Fire'] },
    location: {
      lat: 51.5,
      lng: -0.1,
      address: null,
      area: 'Bankside',
      city: 'London',
      postcode: null,
      countryCode: 'GB',
    },
  };
  const read = {
    ...body,
    id: '1|house|copper-pot',
    operatorId: 1,
    tms: 'house',
    resourceId: 'copper-pot',
    closedAt: null,
  };
  assert.deepEqual(bodyOfVenue(valuesOfVenue(read as Parameters<typeof valuesOfVenue>[0])), body);
});

test('coordinates are taken from what a map shows', () => {
  assert.deepEqual(coordinatesOf(' 51.513, -0.131 '), { lat: '51.513', lng: '-0.131' });
  assert.equal(coordinatesOf('51.513'), undefined);
});
