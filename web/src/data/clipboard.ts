import { toast } from "sonner";

/** Whether the text is on the clipboard now. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** The same, and say so. */
export async function copyAndTell(text: string, said: string): Promise<void> {
  if (await copy(text)) toast(said);
  else toast.error("The browser does not let this page copy. Mark the text and copy it by hand.");
}

/** On an address without https there is no clipboard to write to, but what is selected can be copied still. */
function copySelected(text: string): boolean {
  const before = document.activeElement;
  const box = document.createElement("textarea");
  box.value = text;
  box.style.position = "fixed";
  box.style.opacity = "0";
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}
