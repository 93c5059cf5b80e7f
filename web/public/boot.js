// What cannot wait for the page's code. The rest of the page takes over from here.
(function () {
  // Before the first paint, so that a dark page never flashes white.
  var chosen = localStorage.getItem("taskpilot.theme") || "system";
  var dark = chosen === "dark" || (chosen === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);

  // The board is asked for while the code is on its way. Whoever has to renew a token first asks later.
  var token = sessionStorage.getItem("taskpilot.access");
  if (token || !localStorage.getItem("taskpilot.refresh")) {
    window.earlyBoard = fetch("/api/board", {
      headers: token ? { Authorization: "Bearer " + token } : {},
      credentials: "omit",
    });
    window.earlyBoard.catch(function () {}); // asked again, and told, by the page
  }
})();
