/** One response, byte by byte. */
export interface Reply {
  /** What the request asks for is done before the response. */
  commits: boolean;
  /** The response says the opposite of what was done, so that no client can know better. */
  isLie: boolean;
  /** Status line, headers and body. */
  bytes: Buffer;
  /** Bytes in one write, and the pause between two writes in milliseconds. Absent for one write. */
  drip?: { bytes: number; milliseconds: number };
  end: 'keep' | 'close' | 'reset' | 'stall' | 'repeat';
}

export const operations = ['probe', 'create', 'list', 'get', 'cancel'] as const;
export type Operation = (typeof operations)[number];

/** The responses to the first requests of each operation; the service is an honest one for the others. */
export type Script = Partial<Record<Operation, Reply[]>>;

/** One command line with everything around it. */
export interface FuzzCase {
  /** `{url}` stands for the address of the service. */
  args: string[];
  env?: Record<string, string>;
  stdin?: Buffer;
  /** What is in its working directory. */
  files?: Record<string, Buffer>;
  script?: Script;
  /** Runs in a process of its own, where its words are short enough. */
  isSpawned: boolean;
  /** Ctrl-C is pressed after this time, and again a second later. */
  interruptAfterMilliseconds?: number;
  /** The only order that is created, whose outcome is compared with what the service did. */
  created?: string;
}

export interface RunResult {
  stdout: string;
  stderr: string;
  exitCode: number | null;
  signal: string | null;
  milliseconds: number;
  /** Growth of the resident memory while the command ran. */
  peakBytes: number;
  /** How the process was ended from outside. */
  killedFor?: 'time' | 'memory';
  wasInterrupted: boolean;
  /** The number of times that each order was created. */
  commits: Map<string, number>;
  /** Some response was a lie. */
  wasDeceived: boolean;
  /** The files that the run wrote, by their path. */
  written: Map<string, string>;
  /** What the run left in the folder for temporary files. */
  leftBehind: string[];
}

export interface Target {
  name: string;
  /** Draws a case; `max` is the length of its longest texts and lists. */
  cases(max: number): import('fast-check').Arbitrary<FuzzCase>;
}

/** The API key of every run; no output may show it. It differs from its URL-encoded form. */
export const canaryKey = 'mk_live_Canary/4Zx+9q7=tE';
