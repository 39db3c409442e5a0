import { isJsonNumber, isJsonObject, type Json } from '../../orders/json.ts';
import { isTextName, plainName } from './error-words.ts';

/** Echoes of the request and links may contain any word. */
const echoName =
  /^(?:_?links?|urls?|href|self|filters?|query|params|parameters|criteria|searchcriteria|search|request|included)$/;
const failureName =
  /error|^err|errmsg|fail|(?<!de)fault|exception|problem|denied|truncated|partial|incomplete|invalid|unauthori|timedout|stale|degraded|unavailable|abort|reject/;
const flagName = /more|next|prev|last|first|page|sorted|empty|cache|live|sandbox|test|demo|asc|desc|debug/;
const codeName = /(?:code|status|state|result|outcome|errno|^rc|^ret)$/;
const otherCode = /^(?:currency|country|lang|language|locale|post|postal|zip|area|region|phone)code$/;

const successCode = /^(?:0+|[12]0*|2\d\d)$/;
const successWord =
  /^(?:(?:200 )?ok|success|successful|successfully|succeeded|done|completed?|found|none|no|empty|no_data|no_content|no_results|zero_results|no errors?)$/i;
const failureWord = /^(?:err|error|fail|failed|failure|exception|denied|rejected|unavailable)$/i;
const failureWords =
  /error|fail|time(?:d )?out|unavailable|exception|denied|invalid|unauthori|expired|forbidden|try again|try later|busy|maintenance|incomplete|rejected|refused|overload|too many|not allowed|suspended|went wrong|\bdown\b|(?:could not|cannot|can't|unable to) (?!find|locate)|алдаа|амжилтгүй|боломжгүй|саатал|дахин оролд/i;

const maxDepth = 4;
const maxMessageLength = 1000;

/**
 * Whether a success response says that something failed or is incomplete: by words of failure, a value under the name
 * of a failure, a code that is not known to mean success, or a flag that is false. Other texts and numbers are versions, times or counts.
 */
export function saysFailure(body: Json, isSuccess = (word: string) => successWord.test(word)): boolean {
  const isBad = (name: string, value: Json, depth: number): boolean => {
    if (value === null || value === '' || echoName.test(name)) return false;
    if (Array.isArray(value)) {
      const texts = value.filter((item) => typeof item === 'string');
      return value.length > 0 && (failureName.test(name) || texts.some((text) => isBad(name, text, depth)));
    }
    if (isJsonObject(value)) {
      const members = Object.entries(value);
      if (depth >= maxDepth || failureName.test(name)) return members.length > 0;
      return members.some(([inner, item]) => isBad(plainName(inner), item, depth + 1));
    }
    const flag = flagOf(name, value);
    if (flag !== undefined) return isBadFlag(name, flag);
    const text = String(value).trim();
    const isNumber = /^-?\d+$/.test(text);
    const isCode = codeName.test(name) && !otherCode.test(name);
    if (failureName.test(name)) {
      return isNumber ? !/^0+$/.test(text) && !(isCode && /^2\d\d$/.test(text)) : !isSuccess(text);
    }
    if (isCode) return isNumber ? !successCode.test(text) : !isSuccess(text);
    if (isJsonNumber(value) || isNumber || /^(?:\/|https?:)/.test(text)) return false;
    const isSentence = text.includes(' ') || isTextName(name);
    return failureWord.test(text) || (isSentence && failureWords.test(text.slice(0, maxMessageLength)));
  };
  return isBad('', body, 0);
}

/** PHP and older services write flags as text or numbers. */
function flagOf(name: string, value: Json): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = String(value).trim().toLowerCase();
  if (/^(?:true|false)$/.test(text)) return text === 'true';
  return /^(?:is)?(?:success|successful|succeeded|ok)$/.test(name) && /^[01]$/.test(text)
    ? text === '1'
    : undefined;
}

function isBadFlag(name: string, flag: boolean): boolean {
  if (failureName.test(name)) return flag;
  return !flag && !flagName.test(name);
}
