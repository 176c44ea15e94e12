import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { callTool, connect, VERSIONS } from './support.ts';

let app: TestApp;
before(async () => {
  app = await startTestApp();
});
after(() => app.close());

for (const version of VERSIONS) {
  describe(`a client of ${version}`, () => {
    it('reads the tools and finds a free start', async () => {
      const client = await connect(app, { version });
      assert.equal(client.getNegotiatedProtocolVersion(), version);
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === 'get_venues'));
      const { data } = await callTool(client, 'get_venues', { city: 'London' });
      assert.ok(data.venues.length > 1);
      const { data: one } = await callTool(client, 'get_venue_by_id', { venueId: '1|house|soho-grill' });
      assert.equal(one.name, 'Soho Grill');
      await client.close();
    });
  });
}
