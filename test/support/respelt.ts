/**
 * The same text for a server, spelt another way for each number: its letters are percent-encoded where the number has
 * a bit. Answers are kept by address, so each spelling is a new question.
 */
export function respelt(text: string, number: number): string {
  let bits = number;
  return text.replaceAll(/%[0-9a-f]{2}|[a-z]/gi, (piece) => {
    const isEncoded = piece.length === 1 && bits % 2 === 1;
    if (piece.length === 1) bits = Math.floor(bits / 2);
    return isEncoded ? `%${piece.charCodeAt(0).toString(16)}` : piece;
  });
}
