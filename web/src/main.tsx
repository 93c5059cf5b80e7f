import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { prime } from "./data/live";
import "./styles.css";

await prime();
createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
