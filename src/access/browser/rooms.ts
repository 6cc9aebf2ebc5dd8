import type { Exit } from './exit.ts';
import type { Browser } from './launch.ts';
import type { Cell } from './tab.ts';

/** A cell and its way out. */
export type Room = { readonly cell: Cell; readonly exit: Exit };

export type Keeping<T> = {
  /** Under which it is kept; null for never. */
  readonly name: string | null;
  /** Whether what the work came to leaves a room that the next page may have. */
  readonly isFit: (done: T) => boolean;
};

/** Rooms that pages of one crawl job and one host have one after the other. */
export type Rooms = {
  /** A room that stands empty under that name, in that browser; null when there is none. */
  readonly take: (browser: Browser, name: string | null) => Promise<Room | null>;
  /** Does work in a room; when that went well it is tidied up behind the work's back and kept, else closed. */
  readonly use: <T>(room: Room, keeping: Keeping<T>, work: (room: Room) => Promise<T>) => Promise<T>;
  /** Forgets all rooms; their browsers are closed by then. */
  readonly close: () => void;
};

/** How a room is tidied up: at once, and when no page has come after `RESTLESS_MS`. */
export type Tidying = {
  /** Ends what the page of a cell does. */
  readonly hush: (cell: Cell) => Promise<void>;
  /** Takes the page of a cell away. */
  readonly clear: (cell: Cell) => Promise<void>;
};

/** What a page keeps is there for the next ones, so many of them together. */
const PAGES = 20;
/** Rooms that stand empty, and for how long, ms. */
const MOST_EMPTY = 8;
const EMPTY_MS = 30_000;
/** What the last page moves without scripts costs its part of a core so long, ms. */
const RESTLESS_MS = 250;

type Empty = Room & {
  readonly name: string;
  timer: NodeJS.Timeout;
  /** Whether it could be tidied up. */
  tidied: Promise<boolean>;
  isTidy: boolean;
};

/** Opens the book of rooms; a room without a name serves one page. */
export function openRooms({ hush, clear }: Tidying): Rooms {
  const pages = new WeakMap<Cell, number>();
  const empty = new Set<Empty>();

  function remove(one: Empty): void {
    clearTimeout(one.timer);
    empty.delete(one);
  }

  function evict(one: Empty): void {
    remove(one);
    void shut(one);
  }

  function keep({ cell, exit }: Room, name: string): void {
    const timer = setTimeout(() => rest(one), RESTLESS_MS).unref();
    const one: Empty = { cell, exit, name, timer, isTidy: false, tidied: Promise.resolve(false) };
    one.tidied = tidyUp(one, hush);
    empty.add(one);
    const [oldest] = empty;
    if (empty.size > MOST_EMPTY && oldest !== undefined) evict(oldest);
  }

  function rest(one: Empty): void {
    one.timer = setTimeout(() => evict(one), EMPTY_MS).unref();
    one.tidied = one.tidied.then(async (isTidy) => isTidy && tidyUp(one, clear));
  }

  async function tidyUp(one: Empty, tidy: Tidying['hush']): Promise<boolean> {
    one.isTidy = false;
    try {
      await tidy(one.cell);
      one.isTidy = true;
    } catch {
      if (empty.has(one)) evict(one);
    }
    return one.isTidy;
  }

  return {
    async take(browser, name) {
      const fitting = [...empty].filter((one) => one.name === name && one.cell.browser === browser);
      const found = fitting.find(({ isTidy }) => isTidy) ?? fitting[0];
      if (found === undefined) return null;
      remove(found);
      if (await found.tidied) return found;
      await shut(found);
      return null;
    },
    async use(room, { name, isFit }, work) {
      const count = (pages.get(room.cell) ?? 0) + 1;
      pages.set(room.cell, count);
      let isKept = false;
      try {
        const done = await work(room);
        isKept = name !== null && count < PAGES && isFit(done);
        if (name !== null && isKept) keep(room, name);
        return done;
      } finally {
        if (!isKept) await shut(room);
      }
    },
    close() {
      for (const one of empty) {
        remove(one);
        one.exit.revoke();
      }
    },
  };
}

async function shut({ cell, exit }: Room): Promise<void> {
  await cell.close();
  exit.revoke();
}
