import type { ApiKey, ApiKeyId, Project } from '@subrail/core/ports';

/** An API key with its project. */
export interface KeyOfProject {
  readonly key: ApiKey;
  readonly project: Project;
}

/** How the cache learns that another connection may have changed a key or its project. */
export interface KeyFreshness {
  /**
   * A value that changes when another connection may have written; the cache then forgets everything. Null
   * when that is unknown now: the key is read. A database that reports no writes returns a constant, and only
   * `maxAgeMs` limits the age of a key.
   */
  readonly version: () => unknown;
  /** How long a cached key counts. `Infinity` when `version` changes with every write. */
  readonly maxAgeMs: number;
}

/** More keys than are in use at a time, in a few megabytes. */
const MOST_KEYS = 10_000;

/**
 * A cache of API keys with their projects. Writes of this store count at once, those of others as soon as
 * `freshness` tells. Unknown keys are not cached, so guesses take no room.
 */
export class KeyCache {
  readonly #entries = new Map<string, { readonly value: KeyOfProject; readonly readAt: number }>();
  readonly #hashes = new Map<ApiKeyId, string>();
  readonly #freshness: KeyFreshness;
  #version: unknown = null;
  #writes = 0;

  constructor(freshness: KeyFreshness) {
    this.#freshness = freshness;
  }

  /** Returns the cached key with this hash, else what `read` finds. */
  async find(hash: string, read: () => Promise<KeyOfProject | null>): Promise<KeyOfProject | null> {
    const version = await this.#freshness.version();
    if (version !== this.#version) this.drop();
    this.#version = version;
    const readAt = performance.now();
    const entry = this.#entries.get(hash);
    if (version !== null && entry !== undefined && readAt - entry.readAt < this.#freshness.maxAgeMs)
      return entry.value;
    const writes = this.#writes;
    const value = await read();
    // The read may be older than a write that happened meanwhile.
    if (writes === this.#writes) {
      this.#forget(hash);
      if (version !== null && value !== null) this.#keep(hash, value, readAt);
    }
    return value;
  }

  /** Forgets a key, for instance after its last use was written. */
  forget(id: ApiKeyId): void {
    this.#writes += 1;
    const hash = this.#hashes.get(id);
    if (hash !== undefined) this.#forget(hash);
  }

  /** Forgets everything. Called after each write of keys and projects, even a failed one. */
  drop(): void {
    this.#writes += 1;
    this.#entries.clear();
    this.#hashes.clear();
  }

  #keep(hash: string, value: KeyOfProject, readAt: number): void {
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= MOST_KEYS && oldest !== undefined) this.#forget(oldest);
    this.#entries.set(hash, { value, readAt });
    this.#hashes.set(value.key.id, hash);
  }

  #forget(hash: string): void {
    const entry = this.#entries.get(hash);
    if (entry === undefined) return;
    this.#entries.delete(hash);
    this.#hashes.delete(entry.value.key.id);
  }
}
