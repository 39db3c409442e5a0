import type { RefusalName } from './behaviour.ts';
import type { FieldProblem } from './error-body.ts';

/** A request that the sandbox turns down; its status and code are looked up in the behaviour by name. */
export class Refusal extends Error {
  override readonly name: RefusalName;
  /** What the refusal is about, where that is a field of the body. */
  readonly fields: readonly FieldProblem[];

  constructor(name: RefusalName, message: string, fields: readonly FieldProblem[] = []) {
    super(message);
    this.name = name;
    this.fields = fields;
  }
}

/** A refusal because of one field of the body, which its message begins with. */
export function refuseField(name: RefusalName, field: string, problem: string): Refusal {
  return new Refusal(name, `${field}: ${problem}`, [{ field, problem }]);
}
