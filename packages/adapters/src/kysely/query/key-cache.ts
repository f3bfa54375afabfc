import type { ApiKey, ApiKeyId, Project } from '@subrail/core/ports';

/** An API key with its project. */
export interface KeyOfProject {
  readonly key: ApiKey;
  readonly project: Project;
}

/** How the cache finds out that another connection may have changed a key or its project. */
export interface KeyFreshness {
  /**
   * Returns a value, or a promise of one, that differs from the last one when another connection may have written since. The cache then
   * forgets everything. Returns null when that cannot be found out now: the key is read from the database. A database that reports no
   * writes returns the same value each time, and then only `maxAgeMs` limits how old a key may be.
   */
  readonly version: () => unknown;
  /** For how many milliseconds a key that was read may be answered. `Infinity` when `version` differs after every write. */
  readonly maxAgeMs: number;
}

/** The most keys that are kept: more than are in use at a time, in a few megabytes. */
const MOST_KEYS = 10_000;

/**
 * The API keys that were found, with their projects, so that not every request reads its key. What this store writes of them counts
 * at once, what others write as soon as `freshness` says. Keys that do not exist are not kept, so that guesses take no room.
 */
export class KeyCache {
  readonly #kept = new Map<string, { readonly found: KeyOfProject; readonly readAt: number }>();
  readonly #hashes = new Map<ApiKeyId, string>();
  readonly #freshness: KeyFreshness;
  #version: unknown = null;
  /** Counts the writes after which something was forgotten. */
  #writes = 0;

  constructor(freshness: KeyFreshness) {
    this.#freshness = freshness;
  }

  /** Returns the key with this hash, from what is kept or as `read` finds it. */
  async find(hash: string, read: () => Promise<KeyOfProject | null>): Promise<KeyOfProject | null> {
    const version = await this.#freshness.version();
    if (version !== this.#version) this.drop();
    this.#version = version;
    const readAt = performance.now();
    const kept = this.#kept.get(hash);
    if (version !== null && kept !== undefined && readAt - kept.readAt < this.#freshness.maxAgeMs)
      return kept.found;
    const writes = this.#writes;
    const found = await read();
    // What was written meanwhile may not be in what was read.
    if (writes === this.#writes) {
      this.#forget(hash);
      if (version !== null && found !== null) this.#keep(hash, found, readAt);
    }
    return found;
  }

  /** Forgets a key, such as one whose last use was written. */
  forget(id: ApiKeyId): void {
    this.#writes += 1;
    const hash = this.#hashes.get(id);
    if (hash !== undefined) this.#forget(hash);
  }

  /** Forgets everything. Called after every other write of keys and projects, whether it succeeded or not. */
  drop(): void {
    this.#writes += 1;
    this.#kept.clear();
    this.#hashes.clear();
  }

  #keep(hash: string, found: KeyOfProject, readAt: number): void {
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MOST_KEYS && oldest !== undefined) this.#forget(oldest);
    this.#kept.set(hash, { found, readAt });
    this.#hashes.set(found.key.id, hash);
  }

  #forget(hash: string): void {
    const kept = this.#kept.get(hash);
    if (kept === undefined) return;
    this.#kept.delete(hash);
    this.#hashes.delete(kept.found.key.id);
  }
}
