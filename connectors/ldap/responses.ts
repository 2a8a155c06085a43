import { type Client, NoSuchObjectError, PagedResultsControl, SearchReference, SearchResponse } from 'ldapts';

/** The server has no entry with this name, and says which entry above it exists. */
export class MissingBelow extends NoSuchObjectError {
  readonly matched: string;
  constructor(message: string, matched: string) {
    super(message);
    // The constructors of ldapts set their own.
    Object.setPrototypeOf(this, MissingBelow.prototype);
    this.matched = matched;
  }
}

/** Repairs what ldapts makes of responses to a search. */
export function repairResponses(client: Client): void {
  const inner = client as unknown as { _send(message: unknown): Promise<unknown> };
  const send = inner._send.bind(client);
  inner._send = async (message) => {
    const response = await send(message);
    if (!(response instanceof SearchResponse)) return response;
    keepMatched(response);
    continueAfterEmptyPage(response);
    return response;
  };
}

const noSuchObject = 32;

/** ldapts drops the name of the entry above one that does not exist. A server that hides an entry leaves this name out. */
function keepMatched({ status, matchedDN, errorMessage }: SearchResponse): void {
  if (status === noSuchObject && matchedDN !== '') throw new MissingBelow(errorMessage, matchedDN);
}

/**
 * ldapts ends a paged search after a page without entries, but the list ends only when the cookie is empty (RFC 2696). An
 * ignored, empty reference on such a page makes ldapts go on.
 */
function continueAfterEmptyPage(response: SearchResponse): void {
  if (response.searchEntries.length + response.searchReferences.length > 0) return;
  const paged = response.controls?.find((control) => control instanceof PagedResultsControl);
  if (paged?.value?.cookie?.length)
    response.searchReferences.push(new SearchReference({ messageId: response.messageId, uris: [] }));
}
