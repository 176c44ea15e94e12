import { bookOnce } from './book.js';

const [address, date] = globalThis.process.argv.slice(2);
const credentials = { clientId: 'demo-partner', clientSecret: 'demo-partner-secret' };
console.log(JSON.stringify(await bookOnce({ baseUrl: address, ...credentials }, date)));
