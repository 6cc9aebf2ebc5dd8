import { join } from 'node:path';
import { openPostgresIndex } from '#features/search/index/postgres-index.ts';
import { SearchIndex } from '#features/search/index/search-index.ts';
import { openSqliteIndex } from '#features/search/index/sqlite-index.ts';
import {
  chooseEngines,
  loadSearchSettings,
  DEFAULT_SEARCH_SETTINGS,
  type SearchSettings,
} from '#features/search/settings.ts';
import type { SearchState } from '#engine/call/instance.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { createEndpointClient, type EndpointClient } from '#llm/endpoint-client.ts';
import type { Db } from '#store/db.ts';

/** The parts of searches that depend on settings. */
export type SearchPorts = {
  readonly settings: SearchSettings;
  /** The client of the operator's backends. */
  readonly wire: EndpointClient;
  /** The operator's model, null for none. */
  readonly modelName: string | null;
  /** The index of fetched pages and its maximum bytes; null if it is off. */
  readonly own: { readonly index: SearchIndex; readonly mostBytes: number } | null;
};

const NO_ENGINE =
  'QUERN_SEARCH_FILE names no engine, and QUERN_SEARCH_INDEX is off: searches answer backend_unavailable';
const WIRE_LIMITS = { connectMs: 3000, answerMs: 20_000, answerBytes: 8 * 1024 * 1024 };

/** Opens the parts of searches. Connections and threads are only opened on first use. */
export function openSearch(
  { QUERN_SEARCH_FILE: file, QUERN_SEARCH_INDEX: mostBytes, QUERN_DATA_DIR: folder, QUERN_MODEL: model }: Config,
  { db, clock }: { readonly db: Db; readonly clock: Clock },
): SearchPorts {
  const settings = loadSearchSettings(file ?? null);
  const wire = createEndpointClient(WIRE_LIMITS);
  const modelName = model ?? null;
  if (mostBytes === null) return { settings, wire, modelName, own: null };
  const store = db.kind === 'sqlite' ? openSqliteIndex(join(folder, 'search.db'), clock) : openPostgresIndex(db);
  return { settings, wire, modelName, own: { index: new SearchIndex({ store, now: () => clock.now() }), mostBytes } };
}

/** Describes the backends of searches and answers on this instance. */
export function describeSearch({ settings, own }: SearchPorts, hasModel: boolean): SearchState {
  const engines = chooseEngines(settings, own !== null).flat();
  const usual = hasModel ? 'rag' : 'extractive';
  const answers = {
    answerengine: settings.answerengine?.driver ?? usual,
    assistant: settings.assistant?.driver ?? usual,
    chatassistant: settings.chatassistant?.driver ?? usual,
  };
  const { websearch } = settings;
  if (engines.length > 0) return { available: true, engines, websearch, answers };
  return { available: false, reason: NO_ENGINE, engines, websearch, answers };
}

/** Searches without a backend, for parts of a service that do not search. */
export function createNoSearch(): SearchPorts {
  return { settings: DEFAULT_SEARCH_SETTINGS, wire: createEndpointClient(WIRE_LIMITS), modelName: null, own: null };
}
