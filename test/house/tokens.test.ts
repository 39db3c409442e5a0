import { readFileSync, writeFileSync } from 'node:fs';
import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { readSources, type Sources } from './sources.ts';

/**
 * How much there is to read in each room: tokens, which no formatting changes. These ceilings only fall: UPDATE_TOKENS=1
 * writes them, and a commit that raises one says why and takes as much out elsewhere.
 */
const table = new URL('tokens.txt', import.meta.url);
/** How far a room may shrink before its ceiling has to be lowered. */
const slack = 100;

const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//;
const text = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/;
const word = /[\p{L}\p{N}_$#]+/u;
const operator = /=>|\.\.\.|[=!]==?|[<>]=?|&&=?|\|\|=?|\?\?=?|\?\.|\+\+|--|\S/;
const parts = [comment, text, word, operator].map(({ source }) => `(?:${source})`);
const token = new RegExp(parts.join('|'), 'gu');

/** A text is one token, and so is a template, whatever is in it; a comment is none. */
function countTokens(source: string): number {
  return (source.match(token) ?? []).filter((part) => !/^\/[/*]/.test(part)).length;
}

/** A folder of src, or of import and commands, which are large; `src` for the files that are in none. */
function roomOf(path: string): string {
  const folders = path.split('/').slice(1, -1);
  const depth = ['import', 'commands'].includes(folders[0] ?? '') ? 2 : 1;
  return ['src', ...folders.slice(0, depth)].join('/');
}

function countRooms(sources: Sources): Map<string, number> {
  const rooms = new Map<string, number>();
  for (const [path, source] of [...sources].sort()) {
    if (path.endsWith('.ts')) rooms.set(roomOf(path), (rooms.get(roomOf(path)) ?? 0) + countTokens(source));
  }
  return rooms;
}

function wrongRooms(rooms: ReadonlyMap<string, number>, ceilings: ReadonlyMap<string, number>): string[] {
  return [...new Set([...rooms.keys(), ...ceilings.keys()])].flatMap((room) => {
    const [tokens, ceiling] = [rooms.get(room) ?? 0, ceilings.get(room) ?? 0];
    if (tokens > ceiling) return [`${room} has ${tokens} tokens, ${tokens - ceiling} more than its ceiling`];
    return tokens < ceiling - slack ? [`${room} has ${tokens} tokens: lower its ceiling of ${ceiling}`] : [];
  });
}

function formatTable(rooms: ReadonlyMap<string, number>): string {
  return [...rooms].map(([room, tokens]) => `${String(tokens).padStart(6)} ${room}\n`).join('');
}

function readTable(): Map<string, number> {
  const lines = readFileSync(table, 'utf8').matchAll(/^ *(\d+) (.+)$/gm);
  return new Map(Array.from(lines, ([, tokens, room = '']) => [room, Number(tokens)]));
}

describe('the rooms of src', () => {
  it('have at most the tokens of tokens.txt, which UPDATE_TOKENS=1 writes', () => {
    const rooms = countRooms(readSources('src'));
    if (env.UPDATE_TOKENS) writeFileSync(table, formatTable(rooms));
    expect(wrongRooms(rooms, readTable())).toEqual([]);
  });
});
