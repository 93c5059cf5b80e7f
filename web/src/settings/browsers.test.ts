import { expect, test } from "vitest";
import { nameClient } from "./browsers";

test("a browser is told by its name and its system", () => {
  const chrome =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
  expect(nameClient(chrome)).toBe("Chrome on Linux");
  expect(nameClient(`${chrome.replace("X11; Linux x86_64", "Windows NT 10.0")} Edg/140.0`)).toBe("Edge on Windows");
  expect(nameClient("Mozilla/5.0 (Macintosh; Intel Mac OS X 14) Version/17 Safari/605")).toBe("Safari on a Mac");
});

test("a program is told as it names itself", () => {
  expect(nameClient("curl/8.5.0")).toBe("curl/8.5.0");
  expect(nameClient("")).toBe("A program");
});
