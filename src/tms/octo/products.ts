/** The option behind one of our products, remembered for a short time: units and limits change seldom. */
import type { ProductId } from '../../kernel/ids.ts';
import { type Outcome, ok, refused } from '../contract.ts';
import type { Settings } from '../remote.ts';
import { type Client, then } from './client.ts';
import { type OptionKey, optionIn, optionKeyOf, type PartyUnits, unitsOf } from './offer.ts';
import { type Option, Product } from './schema.ts';

const REMEMBERED_MS = 60_000;
const MOST_REMEMBERED = 1000;

export interface Offer {
  key: OptionKey;
  option: Option;
  units: PartyUnits;
}

export type Offers = ReturnType<typeof createOffers>;

export function createOffers(systemSettings: Settings) {
  const remembered = new Map<string, { product: Product; untilMs: number }>();
  const nameOf = ({ operatorId }: Client, productId: string) => `${operatorId} ${productId}`;

  async function productOf(client: Client, productId: string): Promise<Outcome<Product>> {
    const name = nameOf(client, productId);
    const known = remembered.get(name);
    if (known && known.untilMs > performance.now()) return ok(known.product);
    const path = `/products/${encodeURIComponent(productId)}`;
    return then(await client.read(path, Product), (product) => {
      if (product.id !== productId)
        return { kind: 'unavailable', detail: 'The system answered with another product.' };
      remembered.delete(name);
      if (remembered.size >= MOST_REMEMBERED) remembered.delete(remembered.keys().next().value ?? '');
      remembered.set(name, { product, untilMs: performance.now() + REMEMBERED_MS });
      return ok(product);
    });
  }

  return {
    async offerOf(client: Client, productId: ProductId): Promise<Outcome<Offer>> {
      const key = optionKeyOf(productId);
      if (!key) return refused('no-such-product');
      return then(await productOf(client, key.productId), (product) => {
        const option = optionIn(product, key.optionId);
        const settings = { ...systemSettings, ...client.account.settings };
        const units = option && unitsOf(option, key.unitType, settings);
        return option && units ? ok({ key, option, units }) : refused('no-such-product');
      });
    },
    /** The supplier does not know what we remember of it. */
    forget(client: Client, { productId }: OptionKey): void {
      remembered.delete(nameOf(client, productId));
    },
  };
}
