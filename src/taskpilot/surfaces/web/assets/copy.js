// Buttons that copy the text of the element they name.

export function offerCopy(within) {
  for (const button of within.querySelectorAll("button[data-copy]")) {
    button.addEventListener("click", async () => {
      const line = document.getElementById(button.dataset.copy);
      try {
        await navigator.clipboard.writeText(line.textContent);
      } catch {
        getSelection().selectAllChildren(line);
        document.execCommand("copy");
      }
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }
}
