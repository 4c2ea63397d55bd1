/** A checkout may have CRLF; what the text says is the same. */
export function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
