/** What is wrong with a catalogue and where; its message goes on from the name of the file. */
export class CatalogueProblem extends Error {
  constructor(place: string | undefined, problem: string) {
    super(place === undefined ? ` ${problem}` : `, ${place}, ${problem}`);
  }
}
