import fc from 'fast-check';
import type { FileContent, FuzzCase, Target } from '../case.ts';
import { oddText } from '../text.ts';

const csv = 'externalOrderId,customer.phone,items[].sku,collectionMode\nUB-1,99112233,TEA-1,NONE\n';
const order =
  '{"externalOrderId":"UB-1","customer":{"phone":"99112233"},"items":[{"sku":"TEA-1"}],"collectionMode":"NONE"}';

/** `odd` is the file that is not what it should be. */
const readers: { args: string[]; good: string }[] = [
  { args: ['import', 'odd', '--yes'], good: csv },
  { args: ['import', 'odd', '--dry-run'], good: csv },
  { args: ['import', '-', '--yes'], good: csv },
  { args: ['import', 'orders.csv', '--map', 'odd', '--dry-run'], good: '{}' },
  { args: ['create', '--file', 'odd', '--yes'], good: order },
  { args: ['create', '--file', '-', '--yes'], good: order },
  { args: ['cancel', '--from', 'odd', '--reason', 'no', '--yes'], good: csv },
  { args: ['login', '--with-key', '--base-url', '{url}'], good: 'mk_live_Other' },
  { args: ['sandbox', 'start', '--port', '0', '--behaviour', 'odd'], good: '{}' },
  {
    args: ['sandbox', 'start', '--port', '0', '--catalogue', 'odd'],
    good: 'sku,name,active\nTEA-1,Tea,true\n',
  },
  { args: ['sandbox', 'info', '--db', 'odd'], good: '' },
  { args: ['import', 'orders.csv', '--yes', '--results', 'odd'], good: csv },
  { args: ['import', 'orders.csv', '--yes', '--rejects', 'odd'], good: csv },
];
/** Devices are only read: a program that writes would replace them. */
const devices = ['/dev/zero', '/dev/full', '/dev/null', '/dev/urandom', '/proc/self/mem', '/proc/kmsg'];
const writes = new Set(['--results', '--rejects', '--db']);

/** Files that never end or never open, and things that are no files, instead of each kind of file. */
export const files: Target = {
  name: 'files',
  cases: (max) =>
    fc
      .record({
        reader: fc.constantFrom(...readers),
        odd: fc.oneof(
          fc.constantFrom<FileContent>(
            { kind: 'directory' },
            { kind: 'socket' },
            { kind: 'link', to: 'odd' },
            { kind: 'link', to: 'missing' },
          ),
          fc.constantFrom<FileContent>(
            { kind: 'pipe', writes: 'nothing' },
            { kind: 'pipe', writes: 'forever' },
          ),
          fc.constantFrom<FileContent>(
            { kind: 'sparse', bytes: max * 100 },
            { kind: 'sparse', bytes: max * 2000 },
            Buffer.alloc(0),
          ),
          fc.constantFrom(...devices).map((to): FileContent => ({ kind: 'link', to })),
          oddText(max).map((text) => Buffer.from(text)),
        ),
        isPipe: fc.boolean(),
        interrupt: fc.integer({ min: 1200, max: 2500 }),
      })
      .map(({ reader: { args, good }, odd, isPipe, interrupt }): FuzzCase => {
        const flag = args[args.indexOf('odd') - 1] ?? '';
        const isDevice = !Buffer.isBuffer(odd) && odd.kind === 'link' && odd.to.startsWith('/');
        const content: FileContent = writes.has(flag) && isDevice ? { kind: 'link', to: 'missing' } : odd;
        const isReadable = isDevice || Buffer.isBuffer(content) || content.kind === 'sparse';
        const stdin = args.includes('odd') || !isReadable ? {} : { stdinFile: 'odd' };
        return {
          args,
          files: {
            'orders.csv': Buffer.from(csv),
            // A pipe that someone writes to is read as standard input is.
            odd: isPipe && Buffer.isBuffer(content) ? { kind: 'pipe', writes: Buffer.from(good) } : content,
          },
          ...('stdinFile' in stdin ? stdin : { stdin: Buffer.from(good) }),
          isSpawned: true,
          interruptAfterMilliseconds: interrupt,
        };
      }),
};
