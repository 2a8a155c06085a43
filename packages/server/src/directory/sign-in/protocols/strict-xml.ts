import { DOMParser, type Element } from '@xmldom/xmldom';

/** Signed XML of strangers is read strictly: constructs that no provider needs are refused, not interpreted. */

const MOST_ELEMENTS = 1000;
const MOST_ATTRIBUTES = 2000;
const DEEPEST = 30;

export class XmlRefusal extends Error {}

export const refuse = (reason: string): never => {
  throw new XmlRefusal(reason);
};

/**
 * Parses XML and returns its root. Throws XmlRefusal for declarations (DOCTYPE, entities, CDATA), processing
 * instructions and malformed or oversized documents, and for comments unless `comments` is set.
 */
export function parseStrictly(text: string, { comments = false } = {}): Element {
  if (comments ? /<!(?!--)/.test(text) : text.includes('<!'))
    refuse('it contains a DOCTYPE, an entity, a comment or a CDATA section');
  const body = text.replace(/^\uFEFF?<\?xml\s[^<>]*\?>/, '');
  if (body.includes('<?')) refuse('it contains a processing instruction');
  const tags = body.split('<').length - 1;
  if (tags > 2 * MOST_ELEMENTS || body.split('=').length > 4 * MOST_ATTRIBUTES) refuse('it is too complex');
  const root = parse(body);
  requireModest(root);
  return root;
}

function parse(text: string): Element {
  const onError = (_level: string, message: unknown) =>
    refuse(`it is not well-formed XML (${String(message).slice(0, 100)})`);
  try {
    // The types of an older version, which those of samlify refer to, hide this option.
    const parser = new DOMParser({ onError } as object);
    return parser.parseFromString(text.trim(), 'text/xml').documentElement ?? refuse('it is empty');
  } catch (error) {
    throw error instanceof XmlRefusal ? error : new XmlRefusal('it is not well-formed XML');
  }
}

/** Throws XmlRefusal for too many or too deeply nested elements, and for two elements with the same id. */
function requireModest(root: Element) {
  const ids = new Set<string>();
  let elements = 0;
  let attributes = 0;
  const open: [Element, number][] = [[root, 1]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [element, depth] = next;
    elements += 1;
    attributes += element.attributes.length;
    if (elements > MOST_ELEMENTS || attributes > MOST_ATTRIBUTES || depth > DEEPEST)
      refuse('it is too complex');
    for (const { localName, value } of element.attributes) {
      if (localName?.toLowerCase() !== 'id') continue;
      if (ids.has(value)) refuse('two of its elements have the same id');
      ids.add(value);
    }
    for (const child of childrenOf(element)) open.push([child, depth + 1]);
  }
}

const isElement = (node: { nodeType: number }): boolean => node.nodeType === 1;

export const childrenOf = (element: Element): Element[] =>
  [...element.childNodes].filter(isElement) as unknown as Element[];

/** Returns the children with this name and namespace. */
export const childrenNamed = (element: Element, namespace: string, name: string): Element[] =>
  childrenOf(element).filter((child) => child.localName === name && child.namespaceURI === namespace);

/** Returns the only child with this name. Throws XmlRefusal if there is none or more than one. */
export function onlyChild(element: Element, namespace: string, name: string): Element {
  const [child, ...others] = childrenNamed(element, namespace, name);
  if (child === undefined || others.length > 0) return refuse(`it needs exactly one ${name}`);
  return child;
}

/** Returns every element of the document, `root` included, whose local name is `name`, in any namespace. */
export function everyElement(root: Element, name: string): Element[] {
  const below = childrenOf(root).flatMap((child) => everyElement(child, name));
  return root.localName === name ? [root, ...below] : below;
}

/** Returns the text of an element that contains only text. */
export function textOf(element: Element): string {
  if (childrenOf(element).length > 0) refuse(`${element.localName} must contain only text`);
  return (element.textContent ?? '').trim();
}
