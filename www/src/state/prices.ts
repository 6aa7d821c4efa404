/** What tokens cost, as the user has entered it: kept by model in this browser, as vendors change their prices and Juror ships none. */

/** Prices of a million tokens, as typed. */
export interface Price {
  input: string;
  output: string;
}

const NAME = 'juror-prices';

/** All prices, by model. */
export function prices(): Record<string, Price> {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(NAME) ?? '{}');
    if (typeof read !== 'object' || read === null) return {};
    return Object.fromEntries(Object.entries(read).filter((entry): entry is [string, Price] => isPrice(entry[1])));
  } catch {
    // Storage that cannot be read holds no prices.
    return {};
  }
}

/** Keeps a model's prices; without any it is forgotten. */
export function setPrice(model: string, price: Price | null): void {
  const others = Object.entries(prices()).filter(([known]) => known !== model);
  const isNone = price === null || (price.input === '' && price.output === '');
  const all = Object.fromEntries(isNone ? others : [...others, [model, price]]);
  try {
    localStorage.setItem(NAME, JSON.stringify(all));
  } catch {
    // Without storage they hold as long as the form.
  }
}

function isPrice(value: unknown): value is Price {
  return (
    typeof value === 'object' && value !== null && 'input' in value && 'output' in value && typeof value.input === 'string' && typeof value.output === 'string'
  );
}
