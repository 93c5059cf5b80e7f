/** A command line as the words of its argv. Quotes hold words together; there is no shell behind it. */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word = "";
  let begun = false;
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const letter = line[at]!;
    if (letter === "\\" && quote !== "'" && at + 1 < line.length) {
      word += line[++at];
      begun = true;
    } else if (quote) {
      if (letter === quote) quote = "";
      else word += letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      begun = true;
    } else if (/\s/.test(letter)) {
      if (begun) words.push(word);
      word = "";
      begun = false;
    } else {
      word += letter;
      begun = true;
    }
  }
  if (begun) words.push(word);
  return words;
}
