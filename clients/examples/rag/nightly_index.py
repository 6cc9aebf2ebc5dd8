"""Keeps an index of a site for retrieval: run it every night, and only pages that changed are indexed again.

    QUERN_URL=… QUERN_API_KEY=… python3 nightly_index.py update index.db https://example.com/
    python3 nightly_index.py ask index.db "how is rye ground"

The index is the full text search of SQLite, which needs nothing else; a column for vectors of a model would stand beside `text`.
"""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import sys

from quern import Quern

CHUNK_CHARS = 1200

TABLES = """
create table if not exists pages (url text primary key, title text, hash text not null, seen integer not null);
create virtual table if not exists chunks using fts5 (text, url unindexed, heading unindexed);
"""


def update(database: sqlite3.Connection, quern: Quern, site: str, max_pages: int) -> "dict[str, int]":
    """Crawls the site once; answers how many pages were indexed, were the same, and are gone."""
    run = database.execute("select coalesce(max(seen), 0) + 1 from pages").fetchone()[0]
    counts = {"indexed": 0, "same": 0, "gone": 0}
    crawl = quern.crawl(url=site, max_pages=max_pages, output=["markdown"])
    for page in crawl:
        text = page.markdown or ""
        digest = hashlib.sha256(text.encode()).hexdigest()
        known = database.execute("select hash from pages where url = ?", [page.final_url]).fetchone()
        if known is not None and known[0] == digest:
            database.execute("update pages set seen = ? where url = ?", [run, page.final_url])
            counts["same"] += 1
            continue
        with database:
            database.execute("delete from chunks where url = ?", [page.final_url])
            rows = [(chunk, page.final_url, heading) for heading, chunk in to_chunks(text)]
            database.executemany("insert into chunks (text, url, heading) values (?, ?, ?)", rows)
            database.execute(
                "insert or replace into pages values (?, ?, ?, ?)", [page.final_url, page.metadata.title, digest, run]
            )
        counts["indexed"] += 1
    # A crawl that was cut short says nothing of pages that it did not reach.
    if crawl.result().complete:
        with database:
            gone = database.execute("select url from pages where seen < ?", [run]).fetchall()
            database.executemany("delete from chunks where url = ?", gone)
            database.executemany("delete from pages where url = ?", gone)
        counts["gone"] = len(gone)
    database.commit()
    return counts


def to_chunks(markdown: str) -> "list[tuple[str, str]]":
    """Paragraphs under their heading, put together up to a length that fits into a prompt beside others."""
    chunks: "list[tuple[str, str]]" = []
    heading, open_chunk = "", ""
    for block in re.split(r"\n{2,}", markdown):
        is_heading = re.match(r"#{1,6} (.+)", block)
        if open_chunk and (is_heading or len(open_chunk) + len(block) > CHUNK_CHARS):
            chunks.append((heading, open_chunk))
            open_chunk = ""
        if is_heading:
            heading = is_heading[1]
        else:
            open_chunk = f"{open_chunk}\n\n{block}".strip()
    return [*chunks, (heading, open_chunk)] if open_chunk else chunks


def ask(database: sqlite3.Connection, question: str, limit: int = 5) -> "list[tuple[str, str, str]]":
    """The chunks that fit best, with the page and heading of each: what a prompt is made of."""
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
    return database.execute(
        "select url, heading, text from chunks where chunks match ? order by rank limit ?", [words, limit]
    ).fetchall()


def main(command: str, path: str, *rest: str) -> None:
    database = sqlite3.connect(path)
    database.executescript(TABLES)
    if command == "update":
        base_url = os.environ.get("QUERN_URL", "http://127.0.0.1:7700")
        with Quern(base_url=base_url, api_key=os.environ.get("QUERN_API_KEY")) as quern:
            counts = update(database, quern, rest[0], int(rest[1]) if len(rest) > 1 else 500)
        print(" ".join(f"{name}={count}" for name, count in counts.items()))
        return
    for url, heading, text in ask(database, rest[0]):
        print(f"{url} # {heading}\n{text}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
