"""How a figure is printed: what was measured, what it is compared with, and what it should reach."""

from __future__ import annotations

from statistics import median


def show(what: str, ratio: float, goal: str, met: bool, detail: str = "") -> None:
    print(f"  {'ok  ' if met else 'MISS'} {what:<52} {ratio:6.2f}  (goal {goal})  {detail}", flush=True)


def at_least(what: str, ours: list[float], theirs: list[float], goal: float, unit: str = "/s") -> None:
    """Medians of rounds that were run in turn."""
    mine, other = median(ours), median(theirs)
    show(what, mine / other, f"≥ {goal}", mine / other >= goal, f"{mine:,.0f}{unit} against {other:,.0f}{unit}")


def at_most(what: str, ours: list[float], theirs: list[float], goal: float, unit: str = "ms") -> None:
    mine, other = median(ours), median(theirs)
    show(what, mine / other, f"≤ {goal}", mine / other <= goal, f"{mine:,.3f} {unit} against {other:,.3f} {unit}")
