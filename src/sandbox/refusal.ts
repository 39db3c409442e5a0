import type { RefusalName } from './behaviour.ts';

/** A request that the sandbox turns down; its status and code are looked up in the behaviour by name. */
export class Refusal extends Error {
  override readonly name: RefusalName;

  constructor(name: RefusalName, message: string) {
    super(message);
    this.name = name;
  }
}
