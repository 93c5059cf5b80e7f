// The account on the page: signing up, in and out, where one is signed in, and tokens for programs.
// Whatever comes from the API goes in as text, never as markup.

import { offerCopy } from "./copy.js";
import { call, enter, isSignedIn, leave, renew } from "./session.js";

const element = (id) => document.getElementById(id);
const show = (id, visible = true) => { element(id).hidden = !visible; };
const when = (moment) => new Date(moment).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });

async function attempt(work) {
  show("trouble", false);
  try {
    await work();
  } catch (error) {
    element("trouble").textContent = error instanceof TypeError ? "The server cannot be reached." : error.message;
    show("trouble");
  }
}

// A form that cannot be sent twice while the first is on its way.
function onSubmit(id, work) {
  const form = element(id);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = form.querySelector("button:not([type])");
    button.disabled = true;
    attempt(() => work(new FormData(form), form)).finally(() => { button.disabled = false; });
  });
}

// Who is here: somebody signed in, the user of this machine, or nobody yet.
async function refreshPage() {
  const me = await call("GET", "/api/me").catch((error) => {
    if (error.status !== 401) throw error;
    return null;
  });
  const signedIn = me !== null && isSignedIn();
  show("account");
  show("signed-out", me === null);
  show("signed-in", signedIn);
  show("sessions", signedIn);
  show("tokens", me !== null);
  show("fresh", false);
  if (me === null) return;
  if (!signedIn) showLocally();
  element("who").textContent = me.name ? `${me.name} (${me.email ?? me.handle})` : me.email ?? me.handle;
  show("admin-scope", me.admin);
  await Promise.all([listTokens(), signedIn ? listSessions() : null]);
}

// On one's own machine there is no account to speak of: tokens only, and after what most people come for.
function showLocally() {
  element("account-title").textContent = "Tokens for programs";
  show("tokens-title", false);
  document.querySelector("footer").before(element("account"));
}

async function listSessions() {
  const { sessions } = await call("GET", "/api/auth/sessions?limit=200");
  fill("session-list", sessions, (session) => ({
    title: nameClient(session.client),
    detail: `${session.address || "this machine"} · since ${when(session.created_at)}`,
    here: session.current && "this page",
    end: session.current ? null : ["Sign out there", `/api/auth/sessions/${session.id}`, listSessions],
  }));
}

// A browser says a lot about itself; people know it by its name.
function nameClient(client) {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(client)?.[1];
  if (!client.startsWith("Mozilla/") || !browser) return client || "A program";
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux/.exec(client)?.[0];
  const name = { Edg: "Edge", OPR: "Opera" }[browser] ?? browser;
  return system ? `${name} on ${system.replace("Mac OS X", "a Mac")}` : name;
}

async function listTokens() {
  const { tokens } = await call("GET", "/api/tokens?limit=200");
  fill("token-list", tokens, (token) => ({
    title: token.name,
    detail: [
      token.scopes.join(", "),
      token.expired ? "expired" : token.expires_at ? `until ${when(token.expires_at)}` : "without end",
      token.last_used_at ? `last used ${when(token.last_used_at)}` : "never used",
    ].join(" · "),
    end: ["Revoke", `/api/tokens/${token.id}`, listTokens],
  }));
}

function fill(id, things, describe) {
  element(id).replaceChildren(...things.map((thing) => item(describe(thing))));
}

function item({ title, detail, here, end }) {
  const line = document.createElement("li");
  const words = line.appendChild(document.createElement("div"));
  words.append(title, " ");
  if (here) words.appendChild(Object.assign(document.createElement("span"), { className: "here", textContent: here }));
  words.appendChild(document.createElement("small")).textContent = detail;
  if (end) {
    const [verb, path, after] = end;
    const button = line.appendChild(document.createElement("button"));
    button.type = "button";
    button.textContent = verb;
    button.setAttribute("aria-label", `${verb}: ${title}`);
    button.addEventListener("click", () => {
      if (!confirm(`${verb}: ${title}?`)) return;
      attempt(async () => { await call("DELETE", path); await after(); });
    });
  }
  return line;
}

function choose(wanted) {
  show("sign-in", wanted === "sign-in");
  show("sign-up", wanted === "sign-up");
  show("trouble", false);
  element(wanted).querySelector("input").focus();
}

element("to-sign-up").addEventListener("click", () => choose("sign-up"));
element("to-sign-in").addEventListener("click", () => choose("sign-in"));

onSubmit("sign-in", async (given, form) => {
  await enter("/api/auth/signin", { email: given.get("email"), password: given.get("password") });
  form.reset();
  await refreshPage();
});

onSubmit("sign-up", async (given, form) => {
  await enter("/api/auth/signup", Object.fromEntries(given));
  form.reset();
  await refreshPage();
});

element("sign-out").addEventListener("click", () => attempt(async () => {
  await call("POST", "/api/auth/signout").catch((error) => { if (error.status !== 401) throw error; });
  leave();
  await refreshPage();
  element("sign-in").querySelector("input").focus();
}));

onSubmit("new-token", async (given, form) => {
  const days = given.get("days");
  const made = await call("POST", "/api/tokens", {
    name: given.get("name"),
    scopes: given.getAll("scope"),
    ...(days && { expires_in_days: Number(days) }),
  });
  form.reset();
  element("secret").textContent = made.token;
  show("fresh");
  element("fresh").focus();
  await listTokens();
});

offerCopy(document);
attempt(async () => { await renew(); await refreshPage(); });
