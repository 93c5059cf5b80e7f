import { describe, expect, it } from "vitest";
import { type Piece, segment, summarize } from "./pieces";

const TEXT = "Pay rent tomorrow 9am #home";
const PIECES: Piece[] = [
  { text: "Pay rent", start: 0, end: 8, kind: "title", label: "Pay rent" },
  { text: "tomorrow 9am", start: 9, end: 21, kind: "due", label: "Mon 16 Nov, 09:00" },
  { text: "#home", start: 22, end: 27, kind: "tag", label: "home" },
];

describe("what quick add understood", () => {
  it("cuts the text where its meaning changes, and loses no letter", () => {
    const cut = segment(TEXT, PIECES);
    expect(cut.map((part) => part.text).join("")).toBe(TEXT);
    expect(cut.filter((part) => part.kind !== "gap").map((part) => part.kind)).toEqual(["title", "due", "tag"]);
  });

  it("shows what was typed since as not understood yet", () => {
    const cut = segment(`${TEXT} !hi`, PIECES);
    expect(cut.at(-1)).toEqual({ text: " !hi", kind: "gap" });
  });

  it("does not colour what no longer stands where it stood", () => {
    const cut = segment("Pay the rent tomorrow 9am #home", PIECES);
    expect(cut).toEqual([{ text: "Pay the rent tomorrow 9am #home", kind: "gap" }]);
  });

  it("counts letters as JavaScript does", () => {
    const text = "🎂 tomorrow";
    const cut = segment(text, [
      { text: "🎂", start: 0, end: 2, kind: "title", label: "🎂" },
      { text: "tomorrow", start: 3, end: 11, kind: "due", label: "Mon 16 Nov" },
    ]);
    expect(cut.map((part) => part.kind)).toEqual(["title", "gap", "due"]);
  });

  it("names each thing once, and not the title", () => {
    const twice: Piece[] = [...PIECES, { text: "9am", start: 30, end: 33, kind: "due", label: "Mon 16 Nov, 09:00" }];
    expect(summarize(twice)).toEqual([
      { kind: "due", label: "Mon 16 Nov, 09:00" },
      { kind: "tag", label: "home" },
    ]);
  });
});
