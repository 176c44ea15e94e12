/**
 * Migrations that a version was released with stay as they are: nodes refuse to start on a database that has had another
 * text. With each release the files that are new are added to the list (`sha256sum migrations/*.sql`).
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations');
const checksumOf = (file: string) =>
  createHash('sha256')
    .update(readFileSync(join(MIGRATIONS, file), 'utf8').replaceAll('\r\n', '\n'))
    .digest('hex');

/** By the first half of their checksums. */
const RELEASED: Record<string, string> = {
  '0001_identity.sql': '9b5dd2bb02d9d33c157ac3c2c923a4c2',
  '0002_accounts.sql': 'ebbee81d4e275312a2f5f1c85debac1a',
  '0003_catalogue.sql': '9da429596a7f5a97aa8efa63eb8de153',
  '0004_house.sql': '89f4f8e8b608616b85679a1d75be2842',
  '0005_tickets.sql': '43caf0e4d7f0a7b7312b5c99eac3dd31',
  '0006_rules.sql': '0cbd8adc377ec918b5cc2dfa51cc7de3',
  '0007_bookings.sql': 'f185ea749ca7ac5d5adb8c49e5823652',
  '0008_events.sql': 'b0d095e1ee3c4476c0883970063fb8bb',
  '0009_feed.sql': '74282aa7ae203aae041c9573120551d8',
  '0010_operations.sql': '1f6d5ff6dfcdf6f3c1f0f2695aa35263',
  '0011_changes.sql': '8f9b34f91c342ab6b1b75cc32d2fcb60',
  '0012_desk.sql': '9686f9d473ad880f9d5f15d75ca3f4fe',
  '0014_diary.sql': 'af7fae9df2df4572e29fa95959797124',
  '0015_telling.sql': '825c63f751698818c1eef65f9ef47622',
  '0016_partner_people.sql': 'db8020c7e5d58404fdfeec0fc45e98f5',
  '0017_request_log.sql': 'aaea463b7c8f3d8f2972859a92158240',
  '0018_console.sql': '31e52addbc124c71a9088769ee366cb5',
  '0019_systems.sql': '832691c36841cc41ef2801beb9ce7dea',
  '0020_holds.sql': 'b6a00987bd6494542af5fd6284dd1b17',
  '0021_system_changes.sql': '74ae8185dfcd4a8c6cbed69826c1c02a',
  '0022_octo.sql': '734fb1390cd06bba6de19b98dae2fd4b',
  '0023_system_catalogue.sql': 'a73c268b6513627142be203af204a9d8',
  '0024_holds_offers.sql': '607e14a8f9a64d4eec43ecb274f78395',
  '0025_waitlist.sql': 'e0ee9687612d3f6b8a62fed853ec46df',
  '0026_payments.sql': 'a849e89423616eb361f773de51995669',
  '0027_deposit_first.sql': 'b6eb539560a27cb7f2e041aa26e7df70',
  '0028_mandates.sql': 'a40d7bdb92d669db3bd50baef18a3d3c',
  '0029_search.sql': 'b08119e2098cf2788bd84813358ad9ba',
  '0030_sandbox_faults.sql': '4e44ba236f112c2818ee679a8e7716c2',
  '0031_hold_clocks.sql': '13325d6fc34445a6dabaaf880cecca65',
  '0032_past_stays.sql': '2e1e8ace05b89c658321e466473d98d5',
  '0033_monthly_logs.sql': '9ebf467803f6034064e54a464ea1c8cd',
  '0034_encryption_keys.sql': '1cd333dbd199057c0c6d4a33bd818ef6',
  '0035_event_traces.sql': 'bebaf247d561a05f5dc3d32ad1d86fa4',
  '0036_database_timelines.sql': '79bbb417500f3a6501bf55a5e71fad9a',
};

test('no migration of a released version has changed or gone', () => {
  const files = readdirSync(MIGRATIONS);
  for (const [file, checksum] of Object.entries(RELEASED)) {
    assert.ok(files.includes(file), `${file} is gone`);
    assert.ok(checksumOf(file).startsWith(checksum), `${file} has changed`);
  }
});

test('new migrations come after all released ones', () => {
  const last = Object.keys(RELEASED).sort().at(-1) ?? '';
  for (const file of readdirSync(MIGRATIONS))
    if (!(file in RELEASED)) assert.ok(file > last, `${file} comes before ${last}`);
});
