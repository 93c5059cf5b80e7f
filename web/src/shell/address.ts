// What the address says: the filter, and which task is open beside the page.

import { useCallback, useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { type Filter, readFilter, writeFilter } from "../data/filter";

/** The filter in the address, and how to change it. */
export function useFilter(): [Filter, (filter: Filter) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const filter = useMemo(() => readFilter(new URLSearchParams(search)), [search]);
  const change = useCallback(
    (next: Filter) => navigate(withQuery(path, writeFilter(next, new URLSearchParams(search))), { replace: true }),
    [navigate, path, search],
  );
  return [filter, change];
}

/** The task that is open in the panel, and how to open and close it. The page behind it stays as it is. */
export function useOpenTask(): [number | null, (id: number | null) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const id = Number(new URLSearchParams(search).get("task"));
  const open = useCallback(
    (next: number | null) => {
      const query = new URLSearchParams(search);
      if (next === null) query.delete("task");
      else query.set("task", String(next));
      navigate(withQuery(path, query));
    },
    [navigate, path, search],
  );
  return [Number.isInteger(id) && id > 0 ? id : null, open];
}

/** Another word of the query, such as `sort` or `group`: in the address, so that a link shows the same. */
export function useQueryWord<T extends string>(name: string, allowed: readonly T[], usual: T): [T, (value: T) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const found = new URLSearchParams(search).get(name);
  const value = allowed.find((each) => each === found) ?? usual;
  const change = (next: T) => {
    const query = new URLSearchParams(search);
    if (next === usual) query.delete(name);
    else query.set(name, next);
    navigate(withQuery(path, query), { replace: true });
  };
  return [value, change];
}

/** A word of the query that can be anything, such as a day; "" where it is not said. */
export function useQueryText(name: string): [string, (value: string) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const change = (next: string) => {
    const query = new URLSearchParams(search);
    if (next) query.set(name, next);
    else query.delete(name);
    navigate(withQuery(path, query), { replace: true });
  };
  return [new URLSearchParams(search).get(name) ?? "", change];
}

function withQuery(path: string, query: URLSearchParams): string {
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
