/**
 * A catalogue of 2,000 venues, the same on every run. A venue is drawn as attributes first; its name, types and texts
 * are written of them, each attribute now as a type, now in a sentence, and in the language of the place for half of
 * Germany and France. What is right for a query is decided by the attributes, never by the texts.
 */
import type { Tx } from '../../src/db/database.ts';

export interface GeneratedVenue {
  id: string;
  name: string;
  city: string;
  area: string;
  kind: 'restaurant' | 'bar' | 'cafe' | 'pub' | 'tea room';
  cuisine: string;
  dishes: readonly string[];
  traits: ReadonlySet<Trait>;
  types: string[];
  summary: string;
  description: string;
  highlights: string[];
}

export const OPERATOR_ID = 7000;
const COUNT = 2000;

type Language = 'en' | 'de' | 'fr';

const CITIES: { city: string; language: Language; country: string; share: number; areas: string[] }[] = [
  {
    city: 'London',
    language: 'en',
    country: 'GB',
    share: 40,
    areas: [
      'Soho',
      'Shoreditch',
      'Camden',
      'Islington',
      'Notting Hill',
      'Brixton',
      'Covent Garden',
      'Mayfair',
      'Hackney',
      'Greenwich',
      'King’s Cross',
      'Clapham',
    ],
  },
  {
    city: 'Manchester',
    language: 'en',
    country: 'GB',
    share: 14,
    areas: ['Ancoats', 'Northern Quarter', 'Didsbury', 'Deansgate'],
  },
  { city: 'Leeds', language: 'en', country: 'GB', share: 6, areas: ['Headingley', 'Kirkgate'] },
  {
    city: 'Berlin',
    language: 'de',
    country: 'DE',
    share: 16,
    areas: ['Mitte', 'Kreuzberg', 'Neukölln', 'Charlottenburg', 'Prenzlauer Berg', 'Friedrichshain'],
  },
  {
    city: 'München',
    language: 'de',
    country: 'DE',
    share: 6,
    areas: ['Schwabing', 'Maxvorstadt', 'Haidhausen'],
  },
  {
    city: 'Paris',
    language: 'fr',
    country: 'FR',
    share: 14,
    areas: ['Le Marais', 'Montmartre', 'Bastille', 'Pigalle', 'Saint-Germain-des-Prés'],
  },
  { city: 'Lyon', language: 'fr', country: 'FR', share: 4, areas: ['Croix-Rousse', 'Presqu’île'] },
];

/** The cuisine in three languages, then what is cooked, then what such houses are called. */
const CUISINES: Record<string, { words: [string, string, string]; dishes: string[]; names: string[] }> = {
  italian: {
    words: ['Italian', 'italienische', 'italienne'],
    dishes: ['fresh pasta', 'risotto', 'pizza from a wood oven', 'tiramisu', 'burrata'],
    names: ['Trattoria %', 'Osteria %', '% & Figli', 'Da %'],
  },
  japanese: {
    words: ['Japanese', 'japanische', 'japonaise'],
    dishes: ['ramen', 'sushi', 'udon', 'tempura', 'yakitori'],
    names: ['% Izakaya', 'Ko%', '% Ya', 'Little %'],
  },
  chinese: {
    words: ['Chinese', 'chinesische', 'chinoise'],
    dishes: ['dim sum', 'hand-pulled noodles', 'Peking duck', 'hot pot', 'mapo tofu'],
    names: ['% Palace', 'Golden %', '% Canteen', 'House of %'],
  },
  indian: {
    words: ['Indian', 'indische', 'indienne'],
    dishes: ['dosas', 'biryani', 'tandoori lamb', 'thali', 'butter chicken'],
    names: ['% Tiffin', '% Mahal', 'Spice of %', '% Bhavan'],
  },
  thai: {
    words: ['Thai', 'thailändische', 'thaïlandaise'],
    dishes: ['pad thai', 'green curry', 'som tam', 'tom yum'],
    names: ['% Thai', 'Baan %', '% Basil'],
  },
  vietnamese: {
    words: ['Vietnamese', 'vietnamesische', 'vietnamienne'],
    dishes: ['pho', 'banh mi', 'summer rolls'],
    names: ['Quan %', '% Pho', 'Saigon %'],
  },
  korean: {
    words: ['Korean', 'koreanische', 'coréenne'],
    dishes: ['bibimbap', 'Korean barbecue', 'kimchi pancakes', 'bulgogi'],
    names: ['% Seoul', 'Han %', '% Gogi'],
  },
  french: {
    words: ['French', 'französische', 'française'],
    dishes: ['steak frites', 'duck confit', 'onion soup', 'bouillabaisse', 'crème brûlée'],
    names: ['Bistrot %', 'Chez %', 'Le %', 'Brasserie %'],
  },
  spanish: {
    words: ['Spanish', 'spanische', 'espagnole'],
    dishes: ['tapas', 'paella', 'croquetas', 'jamón ibérico'],
    names: ['Bodega %', 'Casa %', 'Taberna %'],
  },
  greek: {
    words: ['Greek', 'griechische', 'grecque'],
    dishes: ['souvlaki', 'moussaka', 'grilled halloumi', 'gyros'],
    names: ['Taverna %', '% Meraki', 'Blue %'],
  },
  turkish: {
    words: ['Turkish', 'türkische', 'turque'],
    dishes: ['adana kebab', 'lahmacun', 'pide', 'lamb skewers'],
    names: ['% Ocakbaşı', '% Mangal', 'Sofra %'],
  },
  lebanese: {
    words: ['Lebanese', 'libanesische', 'libanaise'],
    dishes: ['mezze', 'falafel', 'shawarma', 'hummus'],
    names: ['Beit %', '% Cedar', 'Zaatar %'],
  },
  mexican: {
    words: ['Mexican', 'mexikanische', 'mexicaine'],
    dishes: ['tacos', 'enchiladas', 'mole', 'guacamole'],
    names: ['Cantina %', 'El %', '% Taqueria'],
  },
  peruvian: {
    words: ['Peruvian', 'peruanische', 'péruvienne'],
    dishes: ['ceviche', 'anticuchos', 'lomo saltado'],
    names: ['% Lima', 'Pisco %'],
  },
  american: {
    words: ['American', 'amerikanische', 'américaine'],
    dishes: ['burgers', 'smoked brisket', 'buttermilk fried chicken', 'ribs'],
    names: ['% Diner', '% Smokehouse', 'Big %'],
  },
  british: {
    words: ['British', 'britische', 'britannique'],
    dishes: ['Sunday roast', 'fish and chips', 'steak and ale pie', 'sticky toffee pudding'],
    names: ['The % Arms', 'The %', '% & Sons'],
  },
  german: {
    words: ['German', 'deutsche', 'allemande'],
    dishes: ['schnitzel', 'spätzle', 'currywurst', 'pork knuckle'],
    names: ['Gasthaus %', 'Zum %', '% Stube'],
  },
  seafood: {
    words: ['seafood', 'Fisch-', 'de la mer'],
    dishes: ['oysters', 'whole turbot', 'mussels', 'lobster', 'crab'],
    names: ['% Oyster House', '% Fish', 'The % Catch'],
  },
  steak: {
    words: ['steak', 'Steak-', 'de grillades'],
    dishes: ['dry-aged ribeye', 'tomahawk steak', 'bone marrow', 'côte de bœuf'],
    names: ['% Steakhouse', '% Grill', 'Rare %'],
  },
  ethiopian: {
    words: ['Ethiopian', 'äthiopische', 'éthiopienne'],
    dishes: ['injera', 'doro wat'],
    names: ['Addis %', '% Habesha'],
  },
  caribbean: {
    words: ['Caribbean', 'karibische', 'caribéenne'],
    dishes: ['jerk chicken', 'curry goat', 'plantain'],
    names: ['% Jerk', 'Island %'],
  },
  vegetable: {
    words: ['plant-based', 'pflanzliche', 'végétale'],
    dishes: ['roast cauliflower', 'mushroom tartare', 'jackfruit curry'],
    names: ['Green %', '% Leaf', 'Root & %'],
  },
};

/** Kinds of places that are not about a cuisine. */
const DRINKS: Record<
  string,
  { kind: GeneratedVenue['kind']; types: string[]; dishes: string[]; names: string[] }
> = {
  cocktails: {
    kind: 'bar',
    types: ['bar', 'cocktail-bar'],
    dishes: ['negronis', 'martinis', 'mezcal sours'],
    names: ['% & Tonic', 'Bar %', 'The % Room', '% Speakeasy'],
  },
  wine: {
    kind: 'bar',
    types: ['bar', 'wine-bar'],
    dishes: ['wines by the glass', 'charcuterie', 'cheese boards'],
    names: ['Vino %', '% Cellar', 'Cave %'],
  },
  beer: {
    kind: 'pub',
    types: ['gastropub'],
    dishes: ['cask ale', 'craft beer', 'pork scratchings'],
    names: ['The % Tap', 'The % & Crown', '% Brewery'],
  },
  coffee: {
    kind: 'cafe',
    types: ['cafe'],
    dishes: ['flat whites', 'banana bread', 'eggs on toast', 'pancakes'],
    names: ['% Coffee', 'Café %', '% Roasters'],
  },
  bakery: {
    kind: 'cafe',
    types: ['cafe', 'bakery'],
    dishes: ['sourdough', 'croissants', 'cinnamon buns'],
    names: ['% Bakery', '% Bakehouse', 'Boulangerie %'],
  },
  tea: {
    kind: 'tea room',
    types: ['tea-room'],
    dishes: ['scones and clotted cream', 'finger sandwiches', 'leaf tea'],
    names: ['% Tea Rooms', 'Miss %', 'The % Parlour'],
  },
};

const TRAITS = {
  vegan: {
    types: ['vegan-friendly'],
    en: ['Half of the menu is vegan.', 'Everything can be made without animal products.'],
    de: ['Viele vegane Gerichte.'],
    fr: ['Beaucoup de plats véganes.'],
  },
  halal: {
    types: ['halal-options'],
    en: ['All meat is halal.'],
    de: ['Das Fleisch ist halal.'],
    fr: ['Toute la viande est halal.'],
  },
  kosher: {
    types: [],
    en: ['A kosher kitchen under supervision.'],
    de: ['Eine koschere Küche.'],
    fr: ['Une cuisine casher.'],
  },
  glutenFree: {
    types: ['gluten-free-options'],
    en: ['A separate fryer for coeliacs.', 'A whole gluten-free menu.'],
    de: ['Glutenfreie Karte.'],
    fr: ['Une carte sans gluten.'],
  },
  wheelchair: {
    types: ['wheelchair-accessible'],
    en: ['Step-free from the street, with an accessible toilet.'],
    de: ['Barrierefreier Zugang.'],
    fr: ['Accessible en fauteuil roulant.'],
  },
  family: {
    types: ['family-friendly'],
    en: ['High chairs, crayons and a children’s menu.'],
    de: ['Spielecke für Kinder.'],
    fr: ['Menu enfant et chaises hautes.'],
  },
  dogs: {
    types: ['dog-friendly'],
    en: ['Water bowls and biscuits for dogs.'],
    de: ['Hunde sind willkommen.'],
    fr: ['Les chiens sont les bienvenus.'],
  },
  outdoor: {
    types: ['outdoor-seating'],
    en: ['Tables in the garden from April.', 'A sunny terrace.'],
    de: ['Mit Garten und Terrasse.'],
    fr: ['Une terrasse au soleil.'],
  },
  rooftop: {
    types: ['rooftop'],
    en: ['On the roof, with the whole skyline in front of you.'],
    de: ['Auf der Dachterrasse.'],
    fr: ['Sur le toit, avec vue.'],
  },
  waterside: {
    types: ['waterside'],
    en: ['Right on the water.', 'Windows over the canal.'],
    de: ['Direkt am Wasser.'],
    fr: ['Au bord de l’eau.'],
  },
  liveMusic: {
    types: ['live-music'],
    en: ['A band plays at weekends.', 'Jazz trio on Thursdays.'],
    de: ['Am Wochenende Livemusik.'],
    fr: ['Concerts le week-end.'],
  },
  late: {
    types: ['late-night'],
    en: ['The kitchen is open until two in the morning.'],
    de: ['Bis spät in die Nacht geöffnet.'],
    fr: ['Ouvert tard dans la nuit.'],
  },
  privateRoom: {
    types: ['private-dining'],
    en: ['A private room for up to twenty.'],
    de: ['Ein Nebenraum für zwanzig Gäste.'],
    fr: ['Un salon privé pour vingt.'],
  },
  events: {
    types: ['event-space'],
    en: ['The whole house can be hired for receptions.'],
    de: ['Für Feiern zu mieten.'],
    fr: ['À louer pour vos réceptions.'],
  },
  fine: {
    types: ['fine-dining'],
    en: ['Seven courses, white linen and a sommelier.', 'A tasting menu that changes weekly.'],
    de: ['Sieben Gänge auf Sterneniveau.'],
    fr: ['Menu dégustation en sept temps.'],
  },
  naturalWine: {
    types: ['natural-wine'],
    en: ['Low-intervention wines from small growers.'],
    de: ['Naturweine kleiner Winzer.'],
    fr: ['Des vins nature.'],
  },
  quiet: {
    types: [],
    en: ['A calm room where you can hear each other.', 'Quiet, unhurried, no music.'],
    de: ['Ein ruhiger Ort.'],
    fr: ['Un lieu calme.'],
  },
  lively: {
    types: [],
    en: ['Loud, crowded and a lot of fun.', 'Buzzing every night of the week.'],
    de: ['Laut und lebendig.'],
    fr: ['Toujours animé.'],
  },
  romantic: {
    types: [],
    en: ['Candlelit tables for two.', 'An intimate room made for anniversaries.'],
    de: ['Romantisch bei Kerzenschein.'],
    fr: ['Un dîner romantique aux chandelles.'],
  },
  cheap: {
    types: [],
    en: ['Nothing costs more than nine pounds.', 'Cheap, cheerful and quick.', 'Great value all day.'],
    de: ['Günstig und gut.'],
    fr: ['Bon et pas cher.'],
  },
  groups: {
    types: [],
    en: ['Long tables for large groups.', 'Sharing menus for big parties.'],
    de: ['Lange Tische für große Gruppen.'],
    fr: ['De grandes tables pour les groupes.'],
  },
  business: {
    types: [],
    en: ['Two courses in under an hour for business lunches.'],
    de: ['Beliebt für Geschäftsessen.'],
    fr: ['Idéal pour un déjeuner d’affaires.'],
  },
} as const;

export type Trait = keyof typeof TRAITS;

const SURNAMES =
  `Bellini Marlowe Hawthorn Sakura Lotus Jasper Odessa Quince Fennel Marrow Saffron Juniper Calder Whitlock
Nettle Rosario Almeida Vesper Larkin Thistle Amber Cobalt Plover Heron Magnolia Cardamom Bramble Otter Finch Willow
Maddox Ashby Pemberton Delgado Moreau Lefevre Duval Renard Kessler Brandt Vogel Lindner Sorrel Tansy Clover Anchor
Lantern Copper Velvet Walnut Ginger Poppy Raven Falcon Cedar Maple Hazel Orchard Harbour Mercer Tully Rook Swift Dove`
    .split(/\s+/)
    .filter(Boolean);

/** Mulberry32: small, and the same everywhere. */
function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const some = <T>(list: readonly T[], count: number): T[] =>
    list
      .map((item) => ({ item, at: next() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, count)
      .map(({ item }) => item);
  return { next, pick, some };
}

type Random = ReturnType<typeof randomFrom>;

export function generateCatalogue(): GeneratedVenue[] {
  const random = randomFrom(20_261_118);
  const cities = CITIES.flatMap((city) => Array.from({ length: city.share }, () => city));
  const taken = new Set<string>();
  return Array.from({ length: COUNT }, (_, n) => generateVenue(random, random.pick(cities), n + 1, taken));
}

function generateVenue(
  random: Random,
  { city, areas, language: local }: (typeof CITIES)[number],
  n: number,
  taken: Set<string>,
): GeneratedVenue {
  const isDrinks = random.next() < 0.28;
  const cuisine = random.pick(Object.keys(isDrinks ? DRINKS : CUISINES));
  const drinks = DRINKS[cuisine];
  const kitchen = CUISINES[cuisine];
  const area = random.pick(areas);
  const language = random.next() < 0.5 ? local : 'en';
  const dishes = random.some((drinks ?? kitchen)?.dishes ?? [], 2);
  const traits = random.some(Object.keys(TRAITS) as Trait[], 2 + Math.floor(random.next() * 4));
  const typed = traits.filter((trait) => TRAITS[trait].types.length > 0 && random.next() < 0.65);
  const told = traits.filter((trait) => !typed.includes(trait));
  const isCuisineTyped = random.next() < 0.55;
  const types = [
    ...(drinks?.types ?? ['restaurant']),
    ...(kitchen && isCuisineTyped
      ? [cuisine === 'steak' ? 'steakhouse' : cuisine === 'vegetable' ? 'vegan-friendly' : cuisine]
      : []),
    ...typed.flatMap((trait) => TRAITS[trait].types),
  ];
  return {
    id: `${OPERATOR_ID}|house|generated-${n}`,
    name: nameFor(random, drinks?.names ?? kitchen?.names ?? [], taken),
    city,
    area,
    kind: drinks?.kind ?? 'restaurant',
    cuisine,
    dishes,
    traits: new Set([...traits, ...(cuisine === 'vegetable' ? (['vegan'] as const) : [])]),
    types: [...new Set(types)],
    summary: summaryOf(language, kitchen?.words, dishes, area, random),
    description: told.map((trait) => random.pick(TRAITS[trait][language])).join(' '),
    highlights: dishes.slice(0, 1),
  };
}

function nameFor(random: Random, patterns: readonly string[], taken: Set<string>): string {
  for (;;) {
    const name = random.pick(patterns).replace('%', random.pick(SURNAMES));
    const whole = taken.has(name) ? `${name} ${random.pick(SURNAMES)}` : name;
    if (taken.has(whole)) continue;
    taken.add(whole);
    return whole;
  }
}

function summaryOf(
  language: Language,
  words: readonly [string, string, string] | undefined,
  dishes: readonly string[],
  area: string,
  random: Random,
): string {
  const [first = '', second = ''] = dishes;
  const [en = '', de = '', fr = ''] = words ?? [];
  const isNamed = words !== undefined && random.next() < 0.6;
  if (language === 'de')
    return isNamed ? `${de} Küche: ${first} und ${second}.` : `${first} und ${second} mitten in ${area}.`;
  if (language === 'fr')
    return isNamed ? `Cuisine ${fr} : ${first} et ${second}.` : `${first} et ${second}, au cœur de ${area}.`;
  return isNamed
    ? `${en} cooking: ${first} and ${second}.`
    : `${first[0]?.toUpperCase()}${first.slice(1)} and ${second}, as they should be.`;
}

/** Writes the catalogue and maps it to a partner. */
export async function insertCatalogue(
  tx: Tx,
  venues: readonly GeneratedVenue[],
  partnerId: number,
): Promise<void> {
  await tx`insert into operator (id, name) values (${OPERATOR_ID}, 'Generated houses')`;
  await tx`insert into partner_operator (partner_id, operator_id) values (${partnerId}, ${OPERATOR_ID})`;
  const countryOf = new Map(CITIES.map(({ city, country }) => [city, country]));
  const rows = venues.map(({ id, name, area, city, types, summary, description, highlights }, n) => ({
    id,
    resource: id.split('|')[2],
    name,
    area,
    city,
    country: countryOf.get(city),
    types,
    content: { summary, description, highlights },
    lat: 48 + (n % 400) / 100,
  }));
  await tx`
    insert into venue (id, operator_id, tms, resource_id, name, time_zone, content, area, city, country_code, lat, lng,
      types, search)
    select id, ${OPERATOR_ID}, 'house', resource, name, 'Europe/London', content, area, city, country, lat, 0,
      array(select jsonb_array_elements_text(types)), ''
    from jsonb_to_recordset(${tx.json(rows as never)}::jsonb) as r (id text, resource text, name text, area text, city text,
      country text, types jsonb, content jsonb, lat float)`;
  await tx`
    insert into venue_mapping (partner_id, venue_id)
    select ${partnerId}, id from venue where operator_id = ${OPERATOR_ID}`;
}
